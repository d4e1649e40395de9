import { phrases } from '@kubeadmit/random';
import type { Draw } from './draw.ts';

const atoms: readonly string[] = [
  ...phrases`
    a  b  .  \d  \w  \s  [ab]  [^a]  [a-z]  \b  ^  $  (  )  [  ]  {2}  {1,}  {,2}  {0,1001}  *  +
    ?  |  (?:  (?i)  (?P<n>  (?<m>  \  \Q  \E  [[:alpha:]]  \pL  \p{Greek}  \x{41}  \z  \A  (?s)
    (?m)  (?U)  é  😀
  `,
  ' ',
  ...phrases`
    *?  +?  \C  \8  [a-  [z-a]  \D  (?=  (?!  [\d-z]  \/  \-  \_  x{1000}  \pN  \P{^Lu}  \07
    (?-i)  (?im-s:  a)  b)  c]  \B  [^\n]  [[:^digit:]]  \p{Foo}
  `,
];

/** Calls of `matches`, `find` and `findAll`. */
export function regexFamily(draw: Draw): string {
  const pattern = draw.many(6, () => draw.pick(atoms));
  const text = draw.many(7, () => draw.pick(['a', 'b', 'A', '1', ' ', '\n', 'é', '😀', 'α', '_']));
  const s = draw.rarelyWrong(draw.value(text));
  const p = draw.rarelyWrong(draw.value(pattern));
  return draw.pick([
    `${s}.matches(${p})`,
    `matches(${s}, ${p})`,
    `${s}.find(${p})`,
    `${s}.findAll(${p})`,
    `${s}.findAll(${p}, ${draw.rarelyWrong(draw.value(draw.below(5) - 1))})`,
  ]);
}
