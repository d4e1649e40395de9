/** Longer names do not fit the tabs, archives or scripts that show them. */
const longestName = 200;

/** Control and format characters, among them line breaks and marks that reverse text. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A file name that can be shown in one line and unpacked anywhere: a relative path without control characters and
 * without `..`. Names come from links, archives and people.
 */
export function plainFileName(name: string): string {
  const parts = name
    .replace(invisible, '')
    .replaceAll('\\', '/')
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  return parts.join('/').slice(-longestName).replace(/^\/+/, '') || 'file';
}

/** Files under plain names; a name that is taken gets a number. */
export function withPlainNames(files: Readonly<Record<string, string>>): Record<string, string> {
  const named = new Map<string, string>();
  for (const [name, text] of Object.entries(files)) {
    named.set(
      freeName(plainFileName(name), (each) => named.has(each)),
      text,
    );
  }
  return Object.fromEntries(named);
}

/** A name, with a number before its extension if it is taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let i = 2; isTaken(free); i++) free = name.replace(/(\.\w+)?$/, `-${i}$1`);
  return free;
}
