/** An answer of the webhook that cases register. */
export interface WebhookAnswer {
  readonly status: number;
  readonly body: string;
}

interface Request {
  readonly uid: string;
  readonly object: Readonly<Record<string, unknown>> | null;
}

type Respond = (request: Request) => Readonly<Record<string, unknown>>;

/** The responses of the test webhook, by the path of its URL. */
const responses: Readonly<Record<string, Respond>> = {
  '/allow': () => ({ allowed: true }),
  '/warn': () => ({ allowed: true, warnings: ['first', 'second "quoted"'] }),
  '/annotate': () => ({ allowed: true, auditAnnotations: { seen: 'yes' } }),
  '/deny': () => ({ allowed: false, status: { message: 'not today' } }),
  '/deny-plain': () => ({ allowed: false }),
  '/deny-reason': () => ({ allowed: false, status: { reason: 'Conflict', code: 409 } }),
  '/deny-low-code': () => ({ allowed: false, status: { message: 'low', code: 200 } }),
  '/deny-high-code': () => ({ allowed: false, status: { message: 'high', code: 599 } }),
  '/deny-details': () => ({
    allowed: false,
    status: {
      status: 'Success',
      message: 'with details',
      reason: 'Invalid',
      code: 422,
      details: { name: 'x', causes: [{ reason: 'R', message: 'm', field: 'data.a' }] },
    },
  }),
  '/deny-warn': () => ({ allowed: false, warnings: ['and a warning'] }),
  '/label': ({ object }) => patch(labelled(object, 'hooked', 'yes')),
  '/label-b': ({ object }) => patch(labelled(object, 'hooked-b', 'yes')),
  '/count': ({ object }) => {
    const count = Number(labelsOf(object)['count'] ?? 0) + 1;
    return patch(labelled(object, 'count', String(count)));
  },
  // Shows the request in an annotation.
  '/echo': (request) => {
    const annotations = member(member(request.object, 'metadata'), 'annotations');
    const shown = JSON.stringify(sorted({ ...request, uid: '' }));
    return patch([
      ...(annotations === undefined
        ? [{ op: 'add', path: '/metadata/annotations', value: {} }]
        : []),
      { op: 'add', path: '/metadata/annotations/echo', value: shown },
    ]);
  },
  '/echo-deny': (request) => ({
    allowed: false,
    status: { message: JSON.stringify(sorted({ ...request, uid: '' })) },
  }),
  '/patch-kind': () => patch([{ op: 'add', path: '/data/b', value: 5 }]),
  '/patch-unknown': () => patch([{ op: 'add', path: '/unknown', value: 5 }]),
  '/patch-test': () => patch([{ op: 'test', path: '/data', value: 5 }]),
  '/patch-path': () => patch([{ op: 'remove', path: '/nothing/here' }]),
  '/patch-replicas': () => patch([{ op: 'replace', path: '/spec/replicas', value: 3 }]),
  '/patch-empty': () => patch([]),
  '/patch-object': () => patch({ op: 'add' }),
  '/patch-text': () => ({ ...patch([]), patch: Buffer.from('{').toString('base64') }),
  '/patch-untyped': () => ({
    ...patch([{ op: 'add', path: '/data', value: {} }]),
    patchType: undefined,
  }),
  '/patch-missing': () => ({ allowed: true, patchType: 'JSONPatch' }),
  '/patch-other-type': () => ({
    ...patch([{ op: 'add', path: '/data', value: {} }]),
    patchType: 'Merge',
  }),
  '/other-uid': () => ({ allowed: true, uid: 'another' }),
};

/** Answers a review as its path says: an AdmissionReview in its version, or an error. */
export function answerReview(path: string, text: string): WebhookAnswer {
  const review = JSON.parse(text) as { readonly apiVersion: string; readonly request: Request };
  const head = { kind: 'AdmissionReview', apiVersion: review.apiVersion };
  const found = responses[path];
  if (found !== undefined) {
    const response = { uid: review.request.uid, ...found(review.request) };
    return { status: 200, body: JSON.stringify({ ...head, response }) };
  }
  switch (path) {
    case '/no-response':
      return { status: 200, body: JSON.stringify(head) };
    case '/no-kind':
      return { status: 200, body: '{"response":{"allowed":true}}' };
    case '/other-kind':
      return { status: 200, body: '{"kind":"Pod","apiVersion":"v1"}' };
    case '/number-kind':
      return { status: 200, body: '{"kind":5,"apiVersion":"v1"}' };
    case '/number-version':
      return { status: 200, body: '{"apiVersion":5,"kind":"AdmissionReview"}' };
    case '/null':
      return { status: 200, body: 'null' };
    case '/list':
      return { status: 200, body: '[]' };
    case '/other-version':
      return {
        status: 200,
        body: JSON.stringify({ ...head, apiVersion: 'admission.k8s.io/v1beta1', response: {} }),
      };
    case '/no-json':
      return { status: 200, body: 'certainly' };
    case '/empty':
      return { status: 200, body: '' };
    case '/status-500':
      return { status: 500, body: 'out of order' };
    case '/status-404':
      return { status: 404, body: '404 page not found\n' };
    default:
      return { status: 400, body: '' };
  }
}

function patch(operations: unknown): Readonly<Record<string, unknown>> {
  const text = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { allowed: true, patchType: 'JSONPatch', patch: text };
}

function labelled(object: unknown, name: string, value: string): readonly object[] {
  const hasLabels = member(member(object, 'metadata'), 'labels') !== undefined;
  return [
    ...(hasLabels ? [] : [{ op: 'add', path: '/metadata/labels', value: {} }]),
    { op: 'add', path: `/metadata/labels/${name}`, value },
  ];
}

function labelsOf(object: unknown): Readonly<Record<string, unknown>> {
  return (member(member(object, 'metadata'), 'labels') ?? {}) as Record<string, unknown>;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}
