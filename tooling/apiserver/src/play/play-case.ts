import type { Answer } from './answer.ts';
import type { ProtobufForms } from './protobuf-forms.ts';

/** Headers by their names in lower case; a list has one line each. */
type Headers = Readonly<Record<string, string | readonly string[]>>;

/** One request of a case. */
export interface Step {
  /** Method and path with the query, such as `GET /api/v1/namespaces`. */
  readonly request: string;
  readonly headers?: Headers;
  /** A JSON value, or text that is sent unchanged. */
  readonly body?: unknown;
  /** `alice` has no rights until RBAC gives her some, `anonymous` no token; default the administrator. */
  readonly as?: 'admin' | 'alice' | 'anonymous' | 'nobody';
  /** Milliseconds for a real server to notice earlier writes. */
  readonly wait?: number;
}

/** Requests in sequence; later ones may refer to values of earlier answers, as in `{{rv:1}}`. */
export interface RestCase {
  readonly id: string;
  readonly steps: readonly Step[];
  /** Whether the records of field managers in its answers are a matter of other cases. */
  readonly withoutManagers?: boolean;
}

/** Sends a request to a server. */
export type Ask = (request: {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body?: string | Uint8Array | undefined;
  readonly as: NonNullable<Step['as']>;
}) => Promise<Answer>;

/** The webhook that cases register. */
export interface Webhook {
  readonly url: string;
  /** Its certificate, as a `caBundle`. */
  readonly authority: string;
}

/** The environment in which a case runs. */
export interface Surroundings {
  readonly ask: Ask;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly webhook: Webhook;
  readonly protobuf: ProtobufForms;
}

/** Plays a case; placeholders of later steps are filled from the answers of earlier ones. */
export async function playCase(
  { steps }: RestCase,
  { ask, pause, webhook, protobuf }: Surroundings,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const step of steps) {
    if (step.wait !== undefined) await pause(step.wait);
    const fill = (text: string): string => filled(withWebhook(text, webhook), answers);
    const line = fill(step.request);
    const space = line.indexOf(' ');
    const body = step.body === undefined ? undefined : fill(textOf(step.body));
    const path = line.slice(space + 1);
    const isProtobuf = step.headers?.['content-type'] === protobuf.mediaType;
    const answer = await ask({
      method: line.slice(0, space),
      path,
      headers: {
        'user-agent': 'case/1.0',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...step.headers,
      },
      body: isProtobuf && body?.startsWith('{') ? protobuf.encode(JSON.parse(body)) : body,
      as: step.as ?? 'admin',
    });
    answers.push(protobuf.readable(answer));
  }
  return answers;
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

function withWebhook(text: string, { url, authority }: Webhook): string {
  return text.replaceAll('{{webhook}}', url).replaceAll('{{authority}}', authority);
}

function filled(text: string, answers: readonly Answer[]): string {
  return text.replace(/\{\{(uid|rv|continue|name):(\d+)\}\}/g, (_, what: string, step: string) => {
    const object = jsonOf(answers[Number(step) - 1]?.text ?? '');
    const metadata = (object['metadata'] ?? {}) as Record<string, unknown>;
    const key = what === 'rv' ? 'resourceVersion' : what;
    return String(metadata[key] ?? '');
  });
}

function jsonOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

const collections = [
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
  '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies',
  '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings',
  '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
  '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles?labelSelector=case',
  '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings?labelSelector=case',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings',
  '/apis/apps/v1/namespaces/default/deployments',
  '/apis/apps/v1/namespaces/default/replicasets',
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/secrets',
  '/api/v1/namespaces/default/serviceaccounts',
  '/api/v1/namespaces/default/pods?gracePeriodSeconds=0',
];

/** Deletes the objects that cases leave behind, and their finalizers. */
export async function cleanUp(ask: Ask): Promise<void> {
  for (const path of collections) {
    const [bare = ''] = path.split('?');
    const listed = await ask({ method: 'GET', path, headers: {}, as: 'admin' });
    const items = (jsonOf(listed.text)['items'] ?? []) as readonly {
      readonly metadata: { readonly name: string; readonly finalizers?: readonly string[] };
    }[];
    if (items.length === 0) continue;
    for (const { metadata } of items) {
      if ((metadata.finalizers?.length ?? 0) === 0 || bare.includes('customresource')) continue;
      await ask({
        method: 'PATCH',
        path: `${bare}/${metadata.name}`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: '{"metadata":{"finalizers":null}}',
        as: 'admin',
      });
    }
    await ask({ method: 'DELETE', path, headers: {}, as: 'admin' });
  }
}
