import { isReservedWord } from '@kubeadmit/cel/syntax';

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** Returns the CEL name of a property whose name is a reserved word of CEL (apiserver, `celReservedSymbols`): `__if__`. */
export function escapedKeyword(name: string): string {
  return `__${name}__`;
}

/**
 * The name under which CEL sees a property, or undefined when it cannot (apiserver, `cel.Escape`).
 *
 * `namespace` is `__namespace__`, `x-prop` is `x__dash__prop`; `1a` and `$x` have no name.
 */
export function escapeProperty(name: string): string | undefined {
  if (!/^[A-Za-z_.\-/][A-Za-z0-9_.\-/]*$/.test(name)) return undefined;
  if (isReservedWord(name)) return escapedKeyword(name);
  return name.replace(/__|[.\-/]/g, (part) => escapes[part] as string);
}

/** The property of a name that CEL sees, or undefined when no property has it (apiserver, `cel.Unescape`). */
export function unescapeProperty(name: string): string | undefined {
  if (!name.includes('__')) return name;
  const word = /^__(.+)__$/.exec(name)?.[1];
  if (word !== undefined && isReservedWord(word)) return word;
  let isKnown = true;
  const property = name.replace(/__([^_]+)__/g, (_, inner: string) => {
    const found = Object.keys(escapes).find((key) => escapes[key] === `__${inner}__`);
    isKnown &&= found !== undefined;
    return found ?? '';
  });
  return isKnown ? property : undefined;
}
