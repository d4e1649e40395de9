/** The container of a value and the value's key in it. */
export type Place = [holder: Record<string | number, unknown>, key: string | number];

/** Every place in a value below the value itself. */
export function places(value: unknown, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found;
  const keys = Array.isArray(value) ? value.map((_, at) => at) : Object.keys(value);
  for (const key of keys) {
    found.push([value as Record<string | number, unknown>, key]);
    places((value as Record<string | number, unknown>)[key], found);
  }
  return found;
}
