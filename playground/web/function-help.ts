// Reads a built script's custom functions and their help, as Sheets does.
import type { FunctionHelp } from './protocol';

/** A comment block immediately above a declaration at the top level of the script. */
const COMMENTED = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*function\s+([A-Za-z_$][\w$]*)\s*\(([^)]*)\)/g;
const DECLARED = /^function\s+([A-Za-z_$][\w$]*)\s*\(/gm;
/** Sheets shows the text in braces as an example of the argument. */
const PARAMETER = /^@param\s+(?:\{(.*?)\}\s+)?\[?([\w$]+)\]?\s*(?:-\s*)?(.*)$/;

type Parameter = FunctionHelp['parameters'][number];

/** Functions whose comment has the tag `@customfunction`. Only these are offered while typing. */
export function readFunctionHelp(code: string): readonly FunctionHelp[] {
  return [...code.matchAll(COMMENTED)].flatMap(([, comment = '', name = '', declared = '']) => {
    const parts = partsOf(comment);
    if (!parts.some((part) => part.startsWith('@customfunction'))) return [];
    const described = new Map(parts.flatMap(readParameter).map((one) => [one.name, one]));
    const names = declared.split(',').map((parameter) => parameter.trim());
    return {
      name,
      description: parts.find((part) => !part.startsWith('@')) ?? '',
      parameters: names
        .filter((parameter) => parameter !== '')
        .map((parameter) => described.get(parameter) ?? undescribed(parameter)),
    };
  });
}

/** Every top-level function of the script, all of which google.script.run offers. */
export function readDeclaredFunctions(code: string): readonly string[] {
  return [...code.matchAll(DECLARED)].map(([, name = '']) => name);
}

/** The text before the first tag, and each tag with the text that follows it, each as one line. */
function partsOf(comment: string): readonly string[] {
  const text = comment.replace(/^[ \t]*\*[ \t]?/gm, '');
  return text
    .split(/^(?=@)/m)
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .filter((part) => part !== '');
}

function readParameter(part: string): readonly Parameter[] {
  const [, example = '', name, description = ''] = PARAMETER.exec(part) ?? [];
  return name === undefined ? [] : [{ name, description, example }];
}

function undescribed(name: string): Parameter {
  return { name, description: '', example: '' };
}
