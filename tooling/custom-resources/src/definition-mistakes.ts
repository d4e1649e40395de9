import { type Json, type JsonObject, setField } from '@kubeadmit/conformance-tools';
import type { Random } from '@kubeadmit/random';

const service = { name: 'a', namespace: 'b', port: 443 };
const column = { name: 'A', type: 'string', jsonPath: '.spec.a' };

/** Places in a definition with values that are odd or wrong there. */
const places: readonly (readonly [string, readonly Json[]])[] = [
  ['metadata.name', ['x.example.com', 'Things', '', 'things.example.org', 5]],
  ['metadata.annotations', [{ 'api-approved.kubernetes.io': 'x' }, { 'a b': 'c' }, { a: 5 }]],
  ['metadata.labels', [{ a: 'b c' }, null]],
  ['spec.group', ['', 'A.b', 'a.k8s.io', 'a', 'example..com', 5, null]],
  ['spec.scope', ['', 'Other', 'namespaced', true]],
  ['spec.names.plural', ['', 'Things', 'th-', 'a.b']],
  ['spec.names.kind', ['', 'thing_', 'Thing-', '5', 5]],
  ['spec.names.listKind', ['', 'Thing', 'a b']],
  ['spec.names.singular', ['', 'A', 'things']],
  ['spec.names.shortNames', [['t'], ['T'], ['a', 'a'], 't', [5]]],
  ['spec.names.categories', [['all'], ['A b']]],
  ['spec.preserveUnknownFields', [true, false, 'x']],
  ['spec.versions', [[], null, {}, [{}], [null]]],
  ['spec.versions.0.name', ['1', '', 'v1', 'v2', 'V', 'a.b', 5]],
  ['spec.versions.0.served', [false, 'x', null]],
  ['spec.versions.0.storage', [false, null]],
  ['spec.versions.0.deprecated', [true]],
  ['spec.versions.0.deprecationWarning', ['', 'old', 'a\u200bb', 5]],
  ['spec.versions.0.schema', [{}, null, 5, { openAPIV3Schema: null }, { openAPIV3Schema: 5 }]],
  ['spec.versions.0.subresources', [{ status: {} }, { status: null }, {}, { scale: {} }, 5]],
  [
    'spec.versions.0.subresources',
    [
      { scale: { specReplicasPath: '.spec.a', statusReplicasPath: '.status.b' } },
      { scale: { specReplicasPath: 'spec.a', statusReplicasPath: '.spec.b' } },
      { scale: { specReplicasPath: '.spec[0]', statusReplicasPath: '', labelSelectorPath: '.a' } },
      { scale: { specReplicasPath: '.spec.a.', statusReplicasPath: '.status..b' } },
    ],
  ],
  [
    'spec.versions.0.additionalPrinterColumns',
    [
      [column],
      [],
      [{}],
      [{ ...column, type: 'odd', format: 'x' }],
      [{ ...column, type: 'integer', format: 'int64', priority: 1 }],
      [
        { ...column, jsonPath: 'spec' },
        { ...column, jsonPath: '.a[' },
      ],
      [
        { ...column, jsonPath: '' },
        { ...column, jsonPath: ".spec['a']" },
      ],
      [
        { ...column, jsonPath: '.spec[?(@.a=="b")].c' },
        { ...column, jsonPath: '.a..b[*]' },
      ],
      [
        { ...column, jsonPath: '.a\n' },
        { ...column, jsonPath: '{.a}' },
      ],
      [{ ...column, priority: 'x' }],
    ],
  ],
  [
    'spec.versions.0.selectableFields',
    [
      [{ jsonPath: '.spec.a' }],
      [{ jsonPath: '.spec.a' }, { jsonPath: '.spec.a' }],
      [{ jsonPath: '.spec' }, { jsonPath: '' }, {}],
      [{ jsonPath: '.metadata.name' }, { jsonPath: 'x' }],
      [{ jsonPath: ".spec['a']" }, { jsonPath: '.spec.nope' }, { jsonPath: '.spec.a[0]' }],
    ],
  ],
  [
    'spec.conversion',
    [
      { strategy: 'None' },
      {},
      { strategy: 'Other' },
      { strategy: 'Webhook' },
      { strategy: 'Webhook', webhook: {} },
      { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } },
      {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v1', 'v1', 'A b'], clientConfig: { service } },
      },
      {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v2'], clientConfig: { url: 'https://a', service } },
      },
      {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { url: 'http://u:p@h/a?b#c' },
        },
      },
      {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { service: { name: '', port: 0, path: 'a//b' } },
        },
      },
      { strategy: 'None', webhook: { conversionReviewVersions: ['v1'], clientConfig: {} } },
      { webhook: null },
      'x',
    ],
  ],
  ['status', [{ storedVersions: ['v0', 'v1'] }, { storedVersions: ['v1'] }, 'x', null]],
  ['status.conditions', [[{ type: 'Established', status: 'True' }], 'x']],
  ['kind', ['Other', '', 5]],
  ['apiVersion', ['v1', 'apiextensions.k8s.io/v1beta1', '']],
  ['unknown', [5]],
];

/** Puts something odd or wrong into a definition, or takes something away. */
export function breakDefinition(random: Random, definition: JsonObject): void {
  const [path, values] = random.pick(places);
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let place: Json = definition;
  for (const step of steps) {
    const inner: Json | undefined = Array.isArray(place)
      ? place[Number(step)]
      : (place as JsonObject)[step];
    if (typeof inner === 'object' && inner !== null) place = inner;
    else {
      const made: JsonObject = {};
      setField(place as JsonObject, step, made);
      place = made;
    }
  }
  if (random.chance(0.1)) delete (place as JsonObject)[last];
  else setField(place as JsonObject, last, structuredClone(random.pick(values)));
}
