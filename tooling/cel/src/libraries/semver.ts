import { words } from '@kubeadmit/random';
import type { Draw } from './draw.ts';

function number(draw: Draw): string {
  return draw.pick([...words('0 1 2 10 1 0 7'), draw.pick(['01', draw.digits(22), 'v1', 'a', ''])]);
}

function identifier(draw: Draw): string {
  return draw.pick([
    ...words('alpha beta 1 2 10 rc-1'),
    draw.pick(['-', '', '01', 'x!', 'é', draw.digits(21)]),
  ]);
}

function identifiers(draw: Draw): string {
  return draw.chance(0.5) ? identifier(draw) : `${identifier(draw)}.${identifier(draw)}`;
}

function text(draw: Draw): string {
  const numbers = [number(draw), number(draw), number(draw)].slice(
    0,
    draw.pick([1, 2, 3, 3, 3, 3, 3]),
  );
  const prerelease = draw.chance(0.4) ? `-${identifiers(draw)}` : '';
  const build = draw.chance(0.2) ? `+${identifiers(draw)}` : '';
  return draw.mutate(draw.pick(['', '', '', 'v']) + numbers.join('.') + prerelease + build);
}

function semver(draw: Draw): string {
  const value = draw.rarelyWrong(draw.value(text(draw)));
  return draw.chance(0.5)
    ? `semver(${value})`
    : `semver(${value}, ${draw.value(draw.chance(0.8))})`;
}

/** Calls of the functions on semantic versions. */
export function semverFamily(draw: Draw): string {
  const version = semver(draw);
  const other = (): string => draw.rarelyWrong(semver(draw));
  const call = draw.pick([
    () => version,
    () => `isSemver(${draw.value(text(draw))})`,
    () => `isSemver(${draw.value(text(draw))}, ${draw.value(true)})`,
    () => `${version}.major()`,
    () => `${version}.minor()`,
    () => `${version}.patch()`,
    () => `${version}.compareTo(${other()})`,
    () => `${version}.isLessThan(${other()})`,
    () => `${version}.isGreaterThan(${other()})`,
    () => `${version} == ${other()}`,
  ]);
  return call();
}
