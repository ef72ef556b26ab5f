// The custom functions of a built script and their help, read as Sheets reads them.
import type { FunctionHelp } from './protocol';

/** A comment block right above a declaration at the top of the script. */
const COMMENTED = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*function\s+([A-Za-z_$][\w$]*)\s*\(([^)]*)\)/g;
const DECLARED = /^function\s+([A-Za-z_$][\w$]*)\s*\(/gm;
const PARAMETER = /^@param\s+(?:\{.*?\}\s+)?\[?([\w$]+)\]?\s*(?:-\s*)?([\s\S]*)$/;

/** Functions whose comment has the tag `@customfunction`; only these are offered while typing. */
export function readFunctionHelp(code: string): readonly FunctionHelp[] {
  return [...code.matchAll(COMMENTED)]
    .map(([, comment = '', name = '', parameters = '']) => ({
      name,
      parameters: parameters.split(',').map((parameter) => parameter.trim()),
      tags: tagsOf(comment),
    }))
    .filter(({ tags }) => tags.some((tag) => tag.startsWith('@customfunction')))
    .map(({ name, parameters, tags }) => {
      const details = new Map(tags.flatMap(parameterOf));
      return {
        name,
        description: tags.find((tag) => !tag.startsWith('@')) ?? '',
        parameters: parameters
          .filter((parameter) => parameter !== '')
          .map((parameter) => ({ name: parameter, description: details.get(parameter) ?? '' })),
      };
    });
}

/** Every function at the top of the script: google.script.run offers them all. */
export function readDeclaredFunctions(code: string): readonly string[] {
  return [...code.matchAll(DECLARED)].map(([, name = '']) => name);
}

/** The text before the first tag and each tag with what follows it, in one line each. */
function tagsOf(comment: string): readonly string[] {
  const text = comment.replace(/^[ \t]*\*[ \t]?/gm, '');
  return text
    .split(/^(?=@)/m)
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .filter((part) => part !== '');
}

function parameterOf(tag: string): readonly (readonly [string, string])[] {
  const [, name, description] = PARAMETER.exec(tag) ?? [];
  return name === undefined ? [] : [[name, description ?? '']];
}
