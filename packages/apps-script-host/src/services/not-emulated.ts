// The services of Google that are not here, and the libraries and advanced services that a manifest
// names: each of their members throws its name and says how a test brings it.

import { MEMBERS_OF_SERVICES } from '../realm/google-members';
import type { ScriptHalf } from '../service';

/** Every project has these (reference of Apps Script, "Google Workspace services" and "utilities"). */
export const SERVICES = Object.keys(MEMBERS_OF_SERVICES);

/** JavaScript itself reads these members of any object, for JSON.stringify and await. */
const ASKED_BY_THE_LANGUAGE: readonly string[] = ['toJSON', 'then'];

/** What a library has is not known, so that all of its members count as missing. */
function isOfGoogle(service: string, member: string): boolean {
  const members = MEMBERS_OF_SERVICES[service];
  return members?.split(' ').includes(member) ?? !ASKED_BY_THE_LANGUAGE.includes(member);
}

/** A test's members can be added to it. */
export function absent(name: string): object {
  return new Proxy({} as Record<PropertyKey, unknown>, {
    get(object, member) {
      if (member === 'toString') return () => name;
      if (typeof member === 'symbol' || member in object || !isOfGoogle(name, member))
        return object[member];
      throw new Error(
        `${name}.${member} is not emulated. A test can bring it: ` +
          `createHost({ services: { ${name}: { ${member}() { … } } } })`,
      );
    },
  });
}

export const notEmulatedScript: ScriptHalf<Record<never, never>> = ({ facts }) => {
  const names = [...SERVICES, ...facts.dependencies];
  return Object.fromEntries(names.map((name) => [name, absent(name)]));
};
