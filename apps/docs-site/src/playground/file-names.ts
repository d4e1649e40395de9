/** Longer names do not fit the tabs, archives or scripts that show them. */
const longestName = 200;

/** Control and format characters, among them line breaks and marks that reverse text. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Characters that Windows allows in no file name. */
const reserved = /[<>"|?*]/g;

/** Names of devices of Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|(?:com|lpt)\d)(?=\.|$)/i;

/** Spaces and dots around a name. The lookbehind keeps the search linear. */
const outerDots = /^[\s.]+|(?<![\s.])[\s.]+$/g;

/** The files that the playground reads. */
const extension = /\.(?:ya?ml|json|cel)$/i;

/**
 * A file name for one line and for every archive: a relative path without control characters, colons and hidden parts
 * such as `..` and `.git`. Names come from links, archives and people.
 *
 * Every file gets an extension, since programs run files with certain names: git reads `config` next to `HEAD`.
 */
export function plainFileName(name: string): string {
  const whole = withExtension(plainPath(name));
  return whole.length <= longestName ? whole : withExtension(plainPath(whole.slice(-longestName)));
}

function plainPath(name: string): string {
  return name
    .replace(invisible, '')
    .replace(reserved, '_')
    .split(/[/\\:]/)
    .map((part) => part.replace(outerDots, '').replace(device, '_$&'))
    .filter((part) => part !== '')
    .join('/');
}

function withExtension(path: string): string {
  return extension.test(path) ? path : `${path || 'file'}.yaml`;
}

/** Files under plain names; a name that is taken gets a number, and so does one that differs in case only. */
export function withPlainNames(files: Readonly<Record<string, string>>): Record<string, string> {
  const named = new Map<string, string>();
  const taken = new Set<string>();
  for (const [name, text] of Object.entries(files)) {
    const free = freeName(plainFileName(name), (each) => taken.has(each.toLowerCase()));
    taken.add(free.toLowerCase());
    named.set(free, text);
  }
  return Object.fromEntries(named);
}

/** A name, with a number before its extension if it is taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let i = 2; isTaken(free); i++) free = name.replace(/(\.\w+)?$/, `-${i}$1`);
  return free;
}
