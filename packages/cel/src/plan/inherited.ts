// Names that objects and bytes inherit require own-property checks.
const inheritedNames: ReadonlySet<string> = new Set(
  [Object.prototype, Uint8Array.prototype, Object.getPrototypeOf(Uint8Array.prototype)].flatMap(
    (prototype) => Object.getOwnPropertyNames(prototype),
  ),
);

/** Whether objects or bytes have a property of the name without it being a key of theirs. */
export function isInherited(name: string): boolean {
  return inheritedNames.has(name);
}
