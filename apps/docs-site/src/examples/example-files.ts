/** Files in the order in which people read them; others follow by name. */
const order = ['policy', 'binding', 'params', 'namespace', 'rbac', 'exception', 'good', 'bad'];

/** Files that only the tests of an example need. */
const onlyTests = /^(?:kyverno-test|patched|values|user|context)\.yaml$|\.admit\.yaml$/;

/** Returns the files of a folder that the playground shows, by name. */
export function shownFiles(
  files: Iterable<readonly [name: string, text: string]>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...files].filter(([name]) => !onlyTests.test(name)).sort(([a], [b]) => inReadingOrder(a, b)),
  );
}

/** Compares the names of files by the order in which people read them. */
export function inReadingOrder(a: string, b: string): number {
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

function rank(file: string): number {
  const place = order.indexOf(file.replace(/\.\w+$/, ''));
  return place === -1 ? order.length : place;
}
