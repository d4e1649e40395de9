import { Path } from '../cel/path.ts';
import { member } from '../cel/term.ts';

/** `containers` gives `container`; a name for the elements of a list. */
export function loopName({ key }: Path, otherwise: string): string {
  if (/^[a-z][A-Za-z]*[^s]s$/.test(key)) {
    return key.endsWith('ies') ? `${key.slice(0, -3)}y` : key.slice(0, -1);
  }
  return otherwise;
}

/** The element of a list by the name of a loop variable. */
export function elementPath(list: Path, name: string): Path {
  const { shape } = list.known;
  const element = shape?.kind === 'list' ? shape.element : undefined;
  return new Path(member(name), { ...list.known, shape: element });
}

/** The same under the name that the list suggests. */
export function elementOf(list: Path, otherwise: string): Path {
  return elementPath(list, loopName(list, otherwise));
}
