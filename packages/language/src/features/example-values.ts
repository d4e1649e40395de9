import { printExpression } from '@kubeadmit/cel';
import {
  Explainer,
  type Explanation,
  loadChain,
  NothingToCheckError,
  prepareCheck,
} from '@kubeadmit/check';
import type { ExplainedEvaluation, ExplainedExpression } from '@kubeadmit/check/internal';
import type { GivenManifest } from '@kubeadmit/lint';
import { type Manifest, readManifests, Source } from '@kubeadmit/manifest';
import { nodesOf } from '../cel/find-node.ts';
import { celTokens, tokenAt } from '../cel/tokens.ts';
import { objectsOf } from '../policy/object-view.ts';
import { policiesIn } from '../policy/policy-view.ts';
import type { InlayHint } from '../protocol.ts';
import type { ServiceContext } from '../service-context.ts';
import type { Part } from '../workspace/part.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import { examplesOf } from './examples-of.ts';
import type { ExpressionAt } from './expression-at.ts';

type Clock = () => number;

/** What a policy makes of its examples. */
interface Explained {
  readonly policy: string;
  readonly explanations: readonly Explanation[];
}

const results = new WeakMap<
  ServiceContext,
  { readonly revision: number; readonly byPart: Map<Part, Promise<readonly Explained[]>> }
>();

/** What the policies of a document make of their examples; found out once for each state of the files. */
function explainedIn(
  context: ServiceContext,
  clock: Clock,
  document: TextDocument,
  part: Part,
): Promise<readonly Explained[]> {
  const { revision } = context.workspace;
  let known = results.get(context);
  if (known?.revision !== revision) {
    known = { revision, byPart: new Map() };
    results.set(context, known);
  }
  const found = known.byPart.get(part) ?? explain(context, clock, document, part);
  known.byPart.set(part, found);
  return found;
}

async function explain(
  context: ServiceContext,
  clock: Clock,
  document: TextDocument,
  part: Part,
): Promise<readonly Explained[]> {
  const found: Explained[] = [];
  for (const policy of part.read().manifests) {
    if (policy.group !== 'admissionregistration.k8s.io' || !policy.kind.endsWith('AdmissionPolicy'))
      continue;
    const examples = examplesOf(context.workspace, document, part, policy.name);
    if (examples.length === 0) continue;
    found.push({
      policy: policy.name,
      explanations: await explainPolicy(context, clock, policy, examples),
    });
  }
  return found;
}

async function explainPolicy(
  context: ServiceContext,
  clock: Clock,
  policy: Manifest,
  examples: readonly Manifest[],
): Promise<readonly Explanation[]> {
  const { inputs } = context.workspace.inputs();
  const bindings = inputs.bindings.filter(
    ({ kind, object }) =>
      kind === `${policy.kind}Binding` &&
      (object['spec'] as { policyName?: unknown } | undefined)?.policyName === policy.name,
  );
  const chosen = new Set([policy, ...bindings, ...inputs.context]);
  const given: GivenManifest[] = [
    ...[...chosen, ...(bindings.length === 0 ? [assumedBinding(policy)] : [])].map((manifest) => ({
      manifest,
      role: 'policies' as const,
    })),
    ...examples.map((manifest) => ({ manifest, role: 'resources' as const })),
  ];
  const { version } = context.schemas;
  try {
    const check = await prepareCheck(
      given,
      {
        user: { name: 'kubernetes-admin' },
        namespace: 'default',
        kubernetesVersion: version,
        ignoreUnknownKinds: true,
      },
      () => undefined,
    );
    const chain = await loadChain({
      resources: check.held.map(({ object }) => object),
      schemas: check.schemas,
      kubernetesVersion: version,
      clock,
    });
    const explainer = new Explainer({
      check,
      cluster: chain.cluster,
      policies: [policy],
      kubernetesVersion: version,
    });
    return check.requests.map((request) => explainer.explain(request));
  } catch (error) {
    if (error instanceof NothingToCheckError) return [];
    throw error;
  }
}

/** A binding for a policy that has none among the files: what it would do is shown all the same. */
function assumedBinding({ apiVersion, kind, name }: Manifest): Manifest {
  const actions = kind.startsWith('Validating') ? { validationActions: ['Deny'] } : {};
  const object = {
    apiVersion,
    kind: `${kind}Binding`,
    metadata: { name },
    spec: { policyName: name, ...actions },
  };
  const [manifest] = readManifests(new Source('assumed.json', JSON.stringify(object))).manifests;
  return manifest as Manifest;
}

interface Shown {
  readonly explanation: Explanation;
  readonly evaluation: ExplainedEvaluation;
  readonly expression: ExplainedExpression;
}

function* shownIn(found: readonly Explained[]): Generator<Shown & { readonly policy: string }> {
  for (const { policy, explanations } of found) {
    for (const explanation of explanations) {
      for (const { bindings } of explanation.policies) {
        for (const evaluation of bindings.flatMap(({ evaluations }) => evaluations)) {
          for (const expression of evaluation.expressions)
            yield { policy, explanation, evaluation, expression };
        }
      }
    }
  }
}

const mostHints = 4;

/** Beside each validation, message and mutation: what it gives for the examples, and what that costs. */
export async function inlayHints(
  context: ServiceContext,
  clock: Clock,
  document: TextDocument,
): Promise<readonly InlayHint[]> {
  const hints: InlayHint[] = [];
  for (const part of document.parts) {
    const shown = [...shownIn(await explainedIn(context, clock, document, part))];
    if (shown.length === 0) continue;
    for (const object of objectsOf(part)) {
      for (const policy of policiesIn(object)) {
        for (const { field, node, role } of policy.expressions) {
          const own = shown.filter(
            (each) => each.policy === object.name && each.expression.path === field,
          );
          if (own.length === 0) continue;
          const texts = own
            .slice(0, mostHints)
            .map((each) => hintText(each, role === 'validation'));
          const more = own.length > mostHints ? ` +${own.length - mostHints}` : '';
          const cost = Math.max(...own.map(({ expression }) => Number(expression.cost)));
          const end = headEnd(part, node.start, node.end);
          hints.push({
            position: document.lines.positionAt(part.start + end),
            label: `${texts.join(' ')}${more} · cost ${cost}`,
            tooltip: { kind: 'markdown', value: own.map(tooltipLine).join('\n') },
            paddingLeft: true,
          });
        }
      }
    }
  }
  return hints;
}

/** The end of the line in which an expression begins. */
function headEnd({ text }: Part, start: number, end: number): number {
  const newline = text.indexOf('\n', start);
  return newline === -1 || newline > end ? end : newline;
}

function hintText({ expression, explanation }: Shown, isValidation: boolean): string {
  const name = explanation.title.split(' ').at(-1) ?? '';
  if (expression.error !== undefined) return `⚠ ${name}`;
  if (isValidation || expression.value === 'true' || expression.value === 'false') {
    return `${expression.value === 'true' ? '✓' : '✗'} ${name}`;
  }
  const value = expression.value ?? '';
  return `${name}: ${value.length > 40 ? `${value.slice(0, 39)}…` : value}`;
}

function tooltipLine({ expression, explanation, evaluation }: Shown): string {
  const result =
    expression.error === undefined ? `\`${expression.value}\`` : `error: ${expression.error}`;
  const params = evaluation.params === undefined ? '' : ` with ${evaluation.params}`;
  return `- ${explanation.title} (${explanation.file})${params}: ${result}, cost ${expression.cost}`;
}

/** What the expression at a token gives for the examples of its policy. */
export async function valueAt(
  context: ServiceContext,
  clock: Clock,
  found: ExpressionAt,
): Promise<string | undefined> {
  const { document, part, policy, view, scalar, at } = found;
  const shown = [...shownIn(await explainedIn(context, clock, document, part))].filter(
    ({ policy: name, expression }) => name === policy.object.name && expression.path === view.field,
  );
  if (shown.length === 0) return undefined;
  const text = textAt(context, found, scalar.value, at);
  if (text === undefined) return undefined;
  const lines = shown.flatMap(({ explanation, expression }) => {
    const whole = text.isWhole
      ? expression.error === undefined
        ? expression.value
        : `error: ${expression.error}`
      : undefined;
    const value = whole ?? expression.steps.find((step) => step.expression === text.text)?.value;
    return value === undefined ? [] : [`- ${explanation.title}: \`${value}\``];
  });
  return lines.length === 0 ? undefined : `Here:\n\n${[...new Set(lines)].slice(0, 8).join('\n')}`;
}

/** The expression that is written at a place, in the form in which steps are named. */
function textAt(
  context: ServiceContext,
  { policy }: ExpressionAt,
  value: string,
  at: number,
): { readonly text: string; readonly isWhole: boolean } | undefined {
  const [environment] = context.environments(policy);
  const checked = environment?.check(value);
  if (checked === undefined) return undefined;
  const tokens = celTokens(value);
  const token = tokenAt(tokens, at);
  if (token === undefined) return undefined;
  const before = tokens[tokens.indexOf(token) - 1];
  const after = tokens[tokens.indexOf(token) + 1];
  const places = new Set([
    token.start,
    ...(before?.text === '.' ? [before.start] : []),
    ...(after?.text === '(' ? [after.start] : []),
  ]);
  for (const { node } of nodesOf(checked.expression)) {
    const isNamed = node.kind !== 'select' || node.field === token.text;
    if (!places.has(node.position) || !isNamed) continue;
    try {
      return { text: printExpression(node), isWhole: node === checked.expression };
    } catch {
      // A part of a loop that no text stands for.
    }
  }
  return undefined;
}
