// A form: its values, which are kept, and its problems, which show once a person tried to send it.

import { batch, computed, signal } from '@preact/signals-core';
import { kept, reveal } from './app';

/** @param id of the form's element, and the name under which it is kept. */
export function createForm<Values extends object>(
  id: string,
  problemsOf: (values: Values) => Readonly<Partial<Record<string, string>>>,
) {
  /** null: the form is not open. */
  const values = kept<Values | null>(id, null);
  const isTried = signal(false);
  const problems = computed(() =>
    isTried.value && values.value !== null ? problemsOf(values.value) : {},
  );
  return {
    ...{ id, values, problems },
    open(opened: Values | null) {
      batch(() => {
        isTried.value = false;
        values.value = opened;
      });
    },
    change(changed: Partial<Values>) {
      if (values.value !== null) values.value = { ...values.value, ...changed };
    },
    /** Whether it can be sent; if not, the first problem is unfolded and has the focus. */
    check(): boolean {
      isTried.value = true;
      if (Object.keys(problems.value).length === 0) return true;
      setTimeout(() => reveal(document.querySelector(`#${id} [aria-invalid="true"]`)));
      return false;
    },
  };
}
