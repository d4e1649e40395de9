import { groupBy } from '@kubeadmit/base';
import type { ItemTexts } from './item-texts.ts';
import { checkTime } from './merge-error.ts';
import { fieldOf, isNothing, type Node, textOfNode } from './node.ts';

/** The texts of an item's merge keys; empty ones are missing. */
export type Identity = readonly string[];

/** Returns the distinct identities of items in their order. */
export function identities(items: readonly Node[], keys: readonly string[]): readonly Identity[] {
  const found = new Map<string, Identity>();
  for (const item of items) {
    const identity = keys.map((key) => identifyingText(fieldOf(item, key)));
    const text = JSON.stringify(identity);
    if (!found.has(text)) found.set(text, identity);
  }
  return [...found.values()];
}

function identifyingText(node: Node | undefined): string {
  if (isNothing(node)) return '';
  return textOfNode(node as Node);
}

/** Returns the distinct identities of primitives in their order. */
export function primitiveIdentities(items: readonly Node[]): readonly Identity[] {
  return [...new Set(items.map(textOfNode))].map((text) => [text]);
}

/** Identities that agree where both have a text, and somewhere do, become one. */
export function unified(given: readonly Identity[]): readonly Identity[] {
  // Distinct identities without gaps never become one.
  if (!given.some(hasGap)) return given;
  const all = [...given];
  const byFirst = groupBy(all.keys(), (place) => firstText(given[place]));
  const withoutFirst = byFirst.get('') ?? [];
  for (const [left, identity] of given.entries()) {
    checkTime();
    const first = firstText(identity);
    const others =
      first === ''
        ? all.keys()
        : [...(byFirst.get(first) ?? []), ...withoutFirst].sort((a, b) => a - b);
    for (const right of others) {
      const joined = join(all[left] ?? [], all[right] ?? []);
      if (joined === undefined) continue;
      all[left] = joined;
      all[right] = joined;
    }
  }
  return all;
}

function firstText([first = '']: Identity = []): string {
  return first;
}

function hasGap(identity: Identity): boolean {
  return identity.includes('');
}

function join(left: Identity, right: Identity): Identity | undefined {
  if (left.length !== right.length) return undefined;
  let agrees = false;
  for (const [at, text] of left.entries()) {
    const other = right[at] ?? '';
    if (text === other) agrees = true;
    else if (text !== '' && other !== '') return undefined;
  }
  return agrees ? left.map((text, at) => text || (right[at] ?? '')) : undefined;
}

/** Which keys have a text in any identity; all keys if there is no text. */
export function validPlaces(all: readonly Identity[], keys: readonly string[]): readonly boolean[] {
  const isValid = keys.map((_key, at) => all.some((identity) => (identity[at] ?? '') !== ''));
  return isValid.includes(true) ? isValid : keys.map(() => true);
}

/** Returns the texts of an identity at its valid keys. */
export function textsAt(
  isValid: readonly boolean[],
  identity: Identity,
  keys: readonly string[],
): ItemTexts {
  return {
    keys: keys.filter((_key, at) => isValid[at]),
    values: identity.filter((_text, at) => isValid[at]),
  };
}
