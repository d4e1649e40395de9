const constants: ReadonlyMap<string, string> = new Map([['check', '350 000']]);

const growing: readonly (readonly [text: string, names: readonly string[]])[] = [
  [
    'a tenth of the length of its text',
    [
      'url',
      'lowerAscii',
      'upperAscii',
      'substring',
      'trim',
      'jsonpatch.escapeKey',
      'cidr',
      'isIP',
      'isCIDR',
      'quantity',
      'isQuantity',
      'semver',
      'isSemver',
      'ip',
      'startsWith',
      'endsWith',
      'bytes',
      'string',
    ],
  ],
  ['a fifth of the length of its text', ['replace', 'split', 'ip.isCanonical', 'join']],
  [
    'a tenth of the text times a quarter of the pattern',
    ['matches', 'find', 'findAll', 'validate'],
  ],
  ['the product of a tenth of both texts', ['contains']],
  [
    'the size of the list',
    [
      'isSorted',
      'sum',
      'max',
      'min',
      'indexOf',
      'lastIndexOf',
      'includes',
      'slice',
      'reverse',
      'flatten',
      'range',
    ],
  ],
  ['the square of the size of the list', ['distinct', 'sort', 'sortBy']],
  [
    'the product of the sizes of both lists',
    ['sets.contains', 'sets.equivalent', 'sets.intersects'],
  ],
  [
    'as much for every element as its expression',
    [
      'all',
      'exists',
      'exists_one',
      'existsOne',
      'filter',
      'map',
      'transformList',
      'transformMap',
      'transformMapEntry',
    ],
  ],
  ['with the size of its selector', ['fieldSelector', 'labelSelector']],
];

const byName: ReadonlyMap<string, string> = new Map([
  ...constants,
  ...growing.flatMap(([text, names]) => names.map((name): [string, string] => [name, text])),
]);

/** What a call of a function costs of the budget of a policy, in words; most calls cost 1. */
export function costWords(name: string): string {
  return byName.get(name) ?? '1';
}
