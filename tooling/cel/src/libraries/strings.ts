import { words } from '@kubeadmit/random';
import type { Draw } from './draw.ts';

const pieces = [
  ...words('a b A é 😀'),
  ...[' ', '\u00a0', 'ab', '\u3000', '\u200b', 'ß', ',', '\n', '"', '\\'],
];

function text(draw: Draw, most = 6): string {
  return draw.rarelyWrong(draw.value(draw.many(most, () => draw.pick(pieces))));
}

function index(draw: Draw): string {
  return draw.rarelyWrong(draw.value(draw.below(10) - 2));
}

function list(draw: Draw): string {
  const elements = Array.from({ length: draw.below(4) }, () =>
    draw.chance(0.03) ? draw.pick([1, null, true]) : draw.many(3, () => draw.pick(pieces)),
  );
  return draw.variable(elements);
}

/** Calls of the functions on strings. */
export function stringsFamily(draw: Draw): string {
  const s = text(draw);
  const part = (): string => text(draw, 2);
  const call = draw.pick([
    () => `${s}.charAt(${index(draw)})`,
    () => `${s}.indexOf(${part()})`,
    () => `${s}.indexOf(${part()}, ${index(draw)})`,
    () => `${s}.lastIndexOf(${part()})`,
    () => `${s}.lastIndexOf(${part()}, ${index(draw)})`,
    () => `${s}.substring(${index(draw)})`,
    () => `${s}.substring(${index(draw)}, ${index(draw)})`,
    () => `${s}.replace(${part()}, ${part()})`,
    () => `${s}.replace(${part()}, ${part()}, ${index(draw)})`,
    () => `${s}.split(${part()})`,
    () => `${s}.split(${part()}, ${index(draw)})`,
    () => `${s}.lowerAscii()`,
    () => `${s}.upperAscii()`,
    () => `${s}.trim()`,
    () => `strings.quote(${s})`,
    () => `${list(draw)}.join()`,
    () => `${list(draw)}.join(${part()})`,
    () => `${s}.split(${part()}).join(${part()})`,
    () => `size(${s})`,
    () => `${s}.contains(${part()})`,
    () => `${s}.startsWith(${part()})`,
    () => `${s}.endsWith(${part()})`,
    () => `${s} < ${part()}`,
    () => `${s} + ${part()} == ${part()}`,
  ]);
  return call();
}
