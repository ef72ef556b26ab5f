// Every state of all pages that sidebar-states.test.ts leaves: two files, for two workers.
import { STATES_OF_PAGES } from '../../playground/sidebar-states/all-states';
import { testStates } from './accessible-states';

const { analyze: _, ...others } = STATES_OF_PAGES;

testStates(others);
