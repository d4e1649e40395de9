import { getOrMake } from '@kubeadmit/base';
/**
 * Sorts findings about the fields of a JSON text in the order in which a decoder meets them: unknown fields at
 * their position, repeated ones at their second position (sigs.k8s.io/json). Other findings come last.
 */
export function inTextOrder(text: string, findings: readonly string[]): readonly string[] {
  if (findings.length < 2) return findings;
  const places = placesOf(text);
  const placeOf = (finding: string): number => {
    const [, kind = '', path = ''] = /^(unknown|duplicate) field "(.*)"$/s.exec(finding) ?? [];
    const found = places.get(path);
    return found?.[kind === 'duplicate' ? 1 : 0] ?? found?.[0] ?? Number.MAX_SAFE_INTEGER;
  };
  const placed = findings.map((finding) => ({ finding, place: placeOf(finding) }));
  return placed.sort((a, b) => a.place - b.place).map(({ finding }) => finding);
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

interface Level {
  readonly path: string;
  readonly isList: boolean;
  index: number;
  key: string | undefined;
}

// Returns the offsets of each member, by its path such as `spec.containers[0].image`.
function placesOf(text: string): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  const levels: Level[] = [];
  const below = (level: Level | undefined): string => {
    if (level === undefined) return '';
    if (level.isList) return `${level.path}[${level.index}]`;
    return level.path === '' ? (level.key ?? '') : `${level.path}.${level.key ?? ''}`;
  };
  for (const { 0: found, index } of text.matchAll(token)) {
    const level = levels.at(-1);
    if (found === '{' || found === '[') {
      levels.push({ path: below(level), isList: found === '[', index: 0, key: undefined });
    } else if (found === '}' || found === ']') levels.pop();
    else if (found === ',') {
      if (level?.isList) level.index++;
      else if (level !== undefined) level.key = undefined;
    } else if (level !== undefined && !level.isList && level.key === undefined && found !== ':') {
      level.key = JSON.parse(found) as string;
      getOrMake(places, below(level), () => []).push(index);
    }
  }
  return places;
}
