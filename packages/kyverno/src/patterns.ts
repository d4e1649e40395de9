// Patterns of rules: anchors, operators, wildcards and kinds.

export { type KindSelector, parseKindSelector, selectsKind } from './match/kind.ts';
export { hasWildcard, matchesWildcard } from './match/wildcard.ts';
export { type Anchor, parseAnchor } from './patterns/anchor.ts';
export { operatorOf, rangeEnds } from './patterns/operator.ts';
export { satisfies } from './patterns/scalar.ts';
