import { isObject, type JsonObject, textOf } from '@kubeadmit/apimachinery';
import { stringifyJson } from '@kubeadmit/go';
import { operatorOf, parseAnchor } from '@kubeadmit/kyverno/patterns';
import { elements, type Place, type Places } from './places.ts';

const objectPath =
  /(?:request\.(?:object|oldObject)|\btarget)((?:\.(?:[A-Za-z_][\w-]*|"[^"]+"|\[[^\]]*\])|\[[^\]]*\])+)/g;
const requestMembers = [
  [/request\.namespace\b/, 'namespace'],
  [/request\.name\b/, 'name'],
  [/request\.userInfo\.username|serviceAccountName/, 'username'],
  [/request\.userInfo\.groups/, 'groups'],
] as const;
const elementPath = /element((?:\.[A-Za-z_]\w*|\[[^\]]*\])+)/g;

/** Notes the places of the object that a rule of Kyverno looks at, with the values beside them. */
export function noteRulePlaces(rule: JsonObject, places: Places): void {
  notePatterns(rule, [], places);
  noteTexts(rule, places, literalsOf(rule));
  noteFilters([rule['match'], rule['exclude']], places);
  if (/\bserviceAccountName(?:space)?\b/.test(stringifyJson(rule))) {
    places.addNames('username', ['system:serviceaccount:default:builder']);
    places.add(['spec', 'serviceAccountName'], ['builder']);
  }
}

// Filters match names, namespaces, users and groups of requests.
function noteFilters(value: unknown, places: Places): void {
  if (Array.isArray(value)) for (const item of value) noteFilters(item, places);
  else if (isObject(value)) {
    if (typeof value['kind'] === 'string' && typeof value['name'] === 'string') {
      const isGroup = value['kind'] === 'Group';
      places.addOfRequest(isGroup ? 'groups' : 'username', valuesOf(value['name']));
    }
    for (const [key, item] of Object.entries(value)) {
      if (key === 'names' || key === 'namespaces') {
        places.addOfRequest(key.slice(0, -1), scalarsOf(item));
      } else noteFilters(item, places);
    }
  }
}

function notePatterns(value: unknown, base: Place, places: Places): void {
  if (Array.isArray(value)) {
    for (const item of value) notePatterns(item, base, places);
    return;
  }
  if (!isObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    if (['pattern', 'patchStrategicMerge'].includes(key)) notePattern(item, base, places);
    else if (key === 'anyPattern' && Array.isArray(item)) {
      for (const each of item) notePattern(each, base, places);
    } else notePatterns(item, base, places);
  }
}

function notePattern(pattern: unknown, place: Place, places: Places): void {
  places.add(place);
  if (Array.isArray(pattern)) {
    for (const item of pattern) notePattern(item, [...place, elements], places);
  } else if (isObject(pattern)) {
    for (const [key, item] of Object.entries(pattern)) {
      notePattern(item, [...place, parseAnchor(key)?.key ?? key], places);
    }
  } else places.add(place, valuesOf(pattern));
}

// Values around those of a scalar pattern: each choice without its operator and its wildcards.
function valuesOf(pattern: unknown): readonly unknown[] {
  if (typeof pattern !== 'string') return [pattern];
  return pattern.split(/[|&]/).flatMap((part) => {
    const text = part.trim();
    const plain = text.slice(operatorOf(text) === '-' ? 0 : operatorOf(text).length).trim();
    const filled = plain.replaceAll('*', 'a').replaceAll('?', 'b');
    const bare = plain.replace(/[*?]/g, '');
    const number = /^-?\d+$/.test(plain) ? [Number(plain)] : [];
    return [filled, bare, ...number];
  });
}

function noteTexts(value: unknown, places: Places, literals: readonly unknown[]): void {
  if (typeof value === 'string') {
    for (const [, path = ''] of value.matchAll(objectPath)) {
      for (const place of placesOf(path)) places.add(place, literals);
    }
    for (const [pattern, name] of requestMembers) {
      if (pattern.test(value)) places.addOfRequest(name, literals);
    }
    return;
  }
  if (Array.isArray(value)) for (const item of value) noteTexts(item, places, literals);
  else if (isObject(value)) {
    const list = textOf(value['list']);
    const [, path = ''] = [...list.matchAll(objectPath)][0] ?? [];
    for (const base of path === '' ? [] : placesOf(path)) {
      for (const [, rest = ''] of stringifyJson(value).matchAll(elementPath)) {
        for (const inner of placesOf(rest)) places.add([...base, elements, ...inner], literals);
      }
      notePatterns(value, [...base, elements], places);
    }
    for (const item of Object.values(value)) noteTexts(item, places, literals);
  }
}

// `.spec.[containers, initContainers][].image`
function placesOf(path: string): readonly Place[] {
  let found: Place[] = [[]];
  for (const [, name, quoted, bracket] of path.matchAll(
    /\.?(?:([A-Za-z_][\w-]*)|"([^"]+)"|\[([^\]]*)\])/g,
  )) {
    const steps =
      bracket === undefined
        ? [name ?? quoted ?? '']
        : /^[A-Za-z_, ]+$/.test(bracket)
          ? bracket.split(',').map((each) => each.trim())
          : [elements];
    found = found.flatMap((place) => steps.map((step) => [...place, step]));
  }
  return found;
}

// The literals of conditions.
function literalsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(literalsOf);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'value' ? scalarsOf(item) : literalsOf(item),
  );
}

function scalarsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(scalarsOf);
  return typeof value === 'string' ? (value.includes('{{') ? [] : valuesOf(value)) : [value];
}
