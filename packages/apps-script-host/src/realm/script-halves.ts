// Lists the script half of every service.

import type { Realm, Signatures } from '../service';
import { broughtScript } from '../services/brought';
import { cacheScript } from '../services/cache';
import { contentScript } from '../services/content';
import { htmlScript } from '../services/html';
import { lockScript } from '../services/lock';
import { logScript } from '../services/log';
import { mailScript } from '../services/mail';
import { mimeTypeScript } from '../services/mime-type';
import { absent, notEmulatedScript } from '../services/not-emulated';
import { propertiesScript } from '../services/properties';
import { scriptAppScript } from '../services/script-app';
import { sessionScript } from '../services/session';
import { spreadsheetAppScript } from '../services/spreadsheet-app/script';
import { urlFetchScript } from '../services/url-fetch';
import { utilitiesScript } from '../services/utilities';

export function scriptHalves(realm: <Calls extends Signatures<Calls>>() => Realm<Calls>) {
  const here: Record<string, object> = {
    ...cacheScript(realm()),
    ...contentScript(realm()),
    ...htmlScript(realm()),
    ...lockScript(realm()),
    ...logScript(realm()),
    ...mailScript(realm()),
    ...mimeTypeScript(realm()),
    ...notEmulatedScript(realm()),
    ...propertiesScript(realm()),
    ...scriptAppScript(realm()),
    ...sessionScript(realm()),
    ...spreadsheetAppScript(realm()),
    ...urlFetchScript(realm()),
    ...utilitiesScript(realm()),
  };
  for (const [name, members] of Object.entries(broughtScript(realm())))
    here[name] = Object.assign(here[name] ?? absent(name), members);
  return here;
}
