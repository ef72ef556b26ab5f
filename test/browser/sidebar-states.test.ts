// Every state of Settings, of the frame and of the page Analyze: readable for everybody.
import { SIDEBAR_STATES, STATES_OF_PAGES } from '../../playground/sidebar-states/all-states';
import { testStates } from './accessible-states';

testStates({ sidebar: SIDEBAR_STATES, analyze: STATES_OF_PAGES.analyze });
