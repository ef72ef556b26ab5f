// The list of pages, from left to right. A new one is a folder with its hook, and one word here.
import { useAnalyzePage } from './analyze/use-analyze-page';
import { useSchedulePage } from './schedule/use-schedule-page';
import type { UsePages } from './sidebar';

export const usePages: UsePages = (context, connection) => {
  const schedule = useSchedulePage(context);
  return [useAnalyzePage(context, schedule.make), schedule.page, connection];
};
