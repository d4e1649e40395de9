import { phrases, type Random, words } from '@kubeadmit/random';
import { clusterPolicy, type Made } from './generate-resource.ts';

const keys = ['a', 'b', 'name', 'size', 'items', 'on', 'x-y', 'c/d', 'image', 'labels'];
const scalars: readonly unknown[] = [
  ...['a', 'b', 'web', 'web-1', '', '*', '5', '05', '5.0', '1e3', 'true', 'null', '1Gi', '1024Mi'],
  ...['100m', '1h', '60m', '-5', '+5', '0x10', '1.10.0', 'v1.2.3', 'A', ' a', 'a|b', 'a & b', 'é'],
  ...['>5', '1-5', '!a', '?', '10.0.0.1', '2024-01-02T03:04:05Z', '5Ki', '0.5', '1.5Gi', '.5'],
  ...[0, 1, 5, -5, 1.5, 5.0, 1e3, 1e21, 0.1, true, false, null, 1024, 100],
];

/** A document of a few levels; lists are mostly of one kind of thing. */
export function randomDocument(random: Random, depth: number): unknown {
  const kind = depth === 0 ? 0 : random.below(10);
  if (kind < 3) return random.pick(scalars);
  if (kind < 7) {
    return Object.fromEntries(
      random.list(0, 4, () => [random.pick(keys), randomDocument(random, depth - 1)]),
    );
  }
  if (kind === 7) return random.list(0, 3, () => random.pick(scalars));
  const shape = random.list(1, 3, () => random.pick(keys));
  return random.list(0, 3, (at) =>
    random.chance(0.9)
      ? Object.fromEntries(
          shape.map((key) => [
            key,
            key === 'name' && random.chance(0.8)
              ? `n${at}`
              : randomDocument(random, Math.max(depth - 2, 0)),
          ]),
        )
      : randomDocument(random, 0),
  );
}

const anchors = ['()', '()', '=()', 'X()', '^()', '<()', '+()'];

function anchored(random: Random, key: string): string {
  const named = random.chance(0.06)
    ? random.pick(['*', `${key.slice(0, 1)}*`, '?', `?${key.slice(1)}`, 'zz'])
    : key;
  return random.chance(0.35) ? random.pick(anchors).replace('()', `(${named})`) : named;
}

const operands = words('5 1Gi 100m 1h 60m 1.5 a web 0 1024 1024Mi -5 1.10.0');

function scalarPattern(random: Random, value: unknown): unknown {
  if (random.chance(0.25)) return value;
  const text = typeof value === 'object' ? 'a' : String(value);
  const other = random.pick(operands);
  return random.pick<() => unknown>([
    () => '*',
    () => '?*',
    () => `!${text}`,
    () => `${text.slice(0, 1)}*`,
    () => `*${text.slice(-1)}`,
    () => `${random.pick(['>', '<', '>=', '<=', '!', ''])}${random.chance(0.5) ? other : text}`,
    () => `${random.pick(['>', '<', '>=', '<='])} ${other}`,
    () => `${other}${random.pick(['-', '!-', ' - '])}${random.pick(operands)}`,
    () => `${text} | ${other}`,
    () => `${text}|${other}`,
    () => `!${text} & !${other}`,
    () => `>${other} & <${random.pick(operands)} | ${text}`,
    () => random.pick(scalars),
    () =>
      random.pick<unknown>([null, 'null', true, 'true', '', {}, [], [{}], '{{ v }}', '{{ w.a }}']),
    () =>
      random.pick(
        words(
          '$(./../a) $(/spec/a) <$(/spec/size) $(../name) $(a) !$(/spec/name)',
          '$(./../../b) $(/spec/items/0/name)',
        ),
      ),
    () =>
      random.pick([
        '{{ request.object.spec.a }}',
        '!{{ request.object.spec.name || `x` }}',
        '{{ request.object.spec }}',
        '{{ v }}*',
        '>{{ w.b }}',
      ]),
  ])();
}

/** A pattern like a document: parts left out, anchors, operators, and parts that are something else. */
export function patternOf(random: Random, value: unknown): unknown {
  if (random.chance(0.04)) return scalarPattern(random, value);
  if (Array.isArray(value)) {
    if (random.chance(0.1)) return scalarPattern(random, value[0] ?? 'a');
    const items = value.filter(() => random.chance(0.5));
    const [first] = items.length === 0 ? value : items;
    return random.pick<() => unknown>([
      () => (first === undefined ? [] : [patternOf(random, first)]),
      () => (first === undefined ? [{}] : [patternOf(random, first)]),
      () => value.map((item) => patternOf(random, item)),
      () => items.map((item) => patternOf(random, item)),
    ])();
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(() => random.chance(0.75));
    const made = Object.fromEntries(
      entries.map(([key, item]) => [anchored(random, key), patternOf(random, item)]),
    );
    if (random.chance(0.12)) made[anchored(random, random.pick(keys))] = scalarPattern(random, 'a');
    return made;
  }
  return scalarPattern(random, value);
}

function widget(random: Random): Made {
  const more = randomDocument(random, 4);
  return {
    apiVersion: 'corp.io/v1',
    kind: 'Widget',
    metadata: { name: 'web', namespace: 'default', labels: { app: 'web', 'c/d': '5' } },
    spec: {
      ...(random.chance(0.5) && { a: random.pick(scalars), size: random.pick([1, 5, '5', '1Gi']) }),
      ...(typeof more === 'object' && !Array.isArray(more) ? more : { items: more }),
    },
  };
}

const context = [
  { name: 'v', variable: { value: 'web' } },
  { name: 'w', variable: { value: { a: 5, b: '1Gi' } } },
];

const match = { any: [{ resources: { kinds: ['Widget'] } }] };

/** A case for `rules` of patterns that are like the object, at every depth. */
export function generatePatterns(random: Random): object {
  const object = widget(random);
  const pattern = (): Made => ({
    [random.chance(0.9) ? 'spec' : anchored(random, 'spec')]: patternOf(random, object['spec']),
    ...(random.chance(0.2) && {
      metadata: { [anchored(random, 'labels')]: patternOf(random, { app: 'web', 'c/d': '5' }) },
    }),
  });
  const message = random.pick([
    undefined,
    'no',
    'no {{ request.object.spec.a }}',
    '{{ request.object.spec || `none` }}',
    '{{ v }} {{ w }}.',
  ]);
  const rule = (at: number): Made => ({
    name: `r${at}`,
    match,
    context,
    validate: {
      ...(message !== undefined && { message }),
      ...(random.chance(0.75)
        ? { pattern: pattern() }
        : { anyPattern: random.list(1, 3, pattern) }),
    },
  });
  return {
    policies: [clusterPolicy('p', { rules: random.list(1, 3, rule) })],
    resource: object,
    ...(random.chance(0.3) && { operation: 'UPDATE', oldResource: widget(random) }),
    ...(random.chance(0.4) && { cluster: true }),
  };
}

interface Place {
  readonly path: string;
  readonly value: unknown;
}

function placesIn(value: unknown, path: string, found: Place[] = []): Place[] {
  found.push({ path, value });
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, item] of Object.entries(value)) {
    placesIn(item, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, found);
  }
  return found;
}

function operations(random: Random, object: Made): Made[] {
  const places = placesIn(object['spec'], '/spec');
  const place = (): Place => random.pick(places);
  const pathOf = (): string => {
    const { path } = place();
    return random.chance(0.7)
      ? path
      : path + random.pick([...words('/- /0 /1 /-1 /new / /a~1b /~ /~01'), '/ ', '/*', '/00']);
  };
  return random.list(1, 4, () => {
    const op = random.pick(['add', 'add', 'replace', 'remove', 'test', 'copy', 'move']);
    const value = random.chance(0.5) ? place().value : randomDocument(random, 2);
    return {
      op,
      path: pathOf(),
      ...(op === 'copy' || op === 'move' ? { from: pathOf() } : {}),
      ...(['add', 'replace', 'test'].includes(op) && random.chance(0.95) ? { value } : {}),
    };
  });
}

function overlayOf(random: Random, value: unknown): unknown {
  if (random.chance(0.08))
    return random.pick<unknown>([null, 'new', 5, {}, [], [{ name: 'n0', a: 'new' }]]);
  if (Array.isArray(value)) {
    return value.filter(() => random.chance(0.6)).map((item) => overlayOf(random, item));
  }
  if (typeof value === 'object' && value !== null) {
    const made: Made = {};
    for (const [key, item] of Object.entries(value)) {
      if (random.chance(0.3)) continue;
      const anchor = random.pick(['', '', '', '()', '+()', '<()', '=()', 'X()']);
      const name = anchor === '' ? key : anchor.replace('()', `(${key})`);
      made[name] =
        anchor === '()' || anchor === '<()' ? patternOf(random, item) : overlayOf(random, item);
    }
    if (random.chance(0.15))
      made[
        random.pick(
          words(
            'new +(new) $patch (zz) $deleteFromPrimitiveList/items $retainKeys',
            '$setElementOrder/items',
          ),
        )
      ] = random.pick<unknown>(['x', 'delete', 'replace', 'merge', ['a'], { a: 1 }]);
    return made;
  }
  return random.chance(0.5)
    ? value
    : random.pick<unknown>([
        ...['new', 7, true, null],
        ...phrases`{{ v }}  {{ w }}  {{ request.object.spec.a }}  {{ @ }}`,
      ]);
}

/** A case for `rules` of patches at every place of the object, and overlays that are like it. */
export function generatePatches(random: Random): object {
  const object = widget(random);
  const mutate = (): Made =>
    random.chance(0.5)
      ? { patchesJson6902: JSON.stringify(operations(random, object)) }
      : { patchStrategicMerge: { spec: overlayOf(random, object['spec']) } };
  const rule = (at: number): Made => ({ name: `r${at}`, match, context, mutate: mutate() });
  return {
    policies: [clusterPolicy('p', { rules: random.list(1, 2, rule) })],
    resource: object,
    ...(random.chance(0.4) && { cluster: true }),
  };
}
