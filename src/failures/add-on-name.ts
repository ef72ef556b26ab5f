// The add-on's name, as its menu, sidebar, failures and reports say it. Whoever publishes it changes it here.

/** Sheets titles the menu under Extensions with the published name: both have to be the same. */
export const ADD_ON_NAME = 'Product Analysis';
