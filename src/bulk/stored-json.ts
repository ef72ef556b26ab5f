// JSON from a store or a cache, where anything may stand: what cannot be read counts as forgotten.

export function storedJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

export function storedList<T>(text: string | null): readonly T[] {
  const list = storedJson(text);
  return Array.isArray(list) ? list : [];
}
