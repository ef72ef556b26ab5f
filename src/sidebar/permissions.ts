// The permissions the add-on asks for, in the words of what each is for. The manifest lists the same.

export interface PermissionNeeded {
  readonly scope: string;
  readonly about: string;
  /** What does not work without it. */
  readonly without: string;
}

const AUTH = 'https://www.googleapis.com/auth/';

export const PERMISSIONS: readonly PermissionNeeded[] = [
  {
    scope: `${AUTH}spreadsheets.currentonly`,
    about: 'This spreadsheet',
    without: 'nothing can be written into it',
  },
  {
    scope: `${AUTH}script.external_request`,
    about: 'Calls to the service',
    without: 'the sidebar can ask for nothing',
  },
  {
    scope: `${AUTH}script.container.ui`,
    about: 'Sidebar and dialogs',
    without: 'they cannot be shown',
  },
  {
    scope: `${AUTH}script.scriptapp`,
    about: 'Schedules',
    without: 'nothing can be refreshed by the clock',
  },
];

/** What a build with the e-mail digest asks for besides. */
export const MAIL_PERMISSIONS: readonly PermissionNeeded[] = [
  {
    scope: 'https://www.googleapis.com/auth/script.send_mail',
    about: 'Mail to you',
    without: 'what schedules found is in the sidebar alone',
  },
  {
    scope: 'https://www.googleapis.com/auth/userinfo.email',
    about: 'Your address, for that mail',
    without: 'there is nobody to send it to',
  },
];
