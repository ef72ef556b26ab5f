// Names the types of arguments as Apps Script does when it refuses them.

/** Apps Script's name for the type of an argument that it cannot use. */
function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `${value.length ? typeName(value[0]) : 'Object'}[]`;
  switch (typeof value) {
    case 'string':
      return 'String';
    case 'boolean':
      return 'Boolean';
    case 'number':
      return 'number';
    case 'undefined':
      return 'null';
    default:
      return 'Object';
  }
}

export const typeNames = (args: readonly unknown[]): string => args.map(typeName).join(',');
