import { type Answerer, loadAnswerer } from '@kubeadmit/check/machine';
import { requestWords, variableWords } from '@kubeadmit/language/words';
import { code, type Page, table } from '../page.ts';

/** A field that holds an expression, and a policy with that expression in it. */
interface Place {
  readonly field: string;
  /** The type that the expression must have. */
  readonly gives: string;
  readonly expression: (variable: string) => string;
  readonly spec: (expression: string) => object;
}

const podRules = {
  resourceRules: [
    { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
  ],
};
const patches = "[JSONPatch{op: 'remove', path: '/a'}]";
const asBool = (variable: string): string => `dyn(${variable}) == null`;
const asString = (variable: string): string => `type(${variable}) == int ? 'a' : 'b'`;

const matchCondition: Place = {
  field: 'matchConditions[].expression',
  gives: 'bool',
  expression: asBool,
  spec: (expression) => ({ matchConditions: [{ name: 'a', expression }] }),
};

/** A list `variables`, of which the first can be used by what comes after it. */
const variablesList = (expression: string): object => ({
  variables: [
    { name: 'first', expression: '1' },
    { name: 'second', expression },
  ],
});

const variable: Place = {
  field: 'variables[].expression',
  gives: 'any type',
  expression: asBool,
  spec: variablesList,
};

const withFirst = { variables: [{ name: 'first', expression: '1' }] };

const kinds: Readonly<Record<string, { places: readonly Place[]; rest: object }>> = {
  ValidatingAdmissionPolicy: {
    rest: { validations: [{ expression: 'true' }] },
    places: [
      matchCondition,
      variable,
      {
        field: 'validations[].expression',
        gives: 'bool',
        expression: asBool,
        spec: (expression) => ({ ...withFirst, validations: [{ expression }] }),
      },
      {
        field: 'validations[].messageExpression',
        gives: 'string',
        expression: asString,
        spec: (messageExpression) => ({
          ...withFirst,
          validations: [{ expression: 'true', messageExpression }],
        }),
      },
      {
        field: 'auditAnnotations[].valueExpression',
        gives: 'string or null',
        expression: asString,
        spec: (valueExpression) => ({
          ...withFirst,
          auditAnnotations: [{ key: 'a', valueExpression }],
        }),
      },
    ],
  },
  MutatingAdmissionPolicy: {
    rest: {
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: patches } }],
    },
    places: [
      matchCondition,
      variable,
      {
        field: 'mutations[].applyConfiguration.expression',
        gives: 'Object',
        expression: (name) => `dyn(${name}) == null ? Object{} : Object{}`,
        spec: (expression) => ({
          ...withFirst,
          mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
        }),
      },
      {
        field: 'mutations[].jsonPatch.expression',
        gives: 'list of JSONPatch',
        expression: (name) => `dyn(${name}) == null ? ${patches} : ${patches}`,
        spec: (expression) => ({
          ...withFirst,
          mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
        }),
      },
    ],
  },
};

const names = [
  'object',
  'oldObject',
  'request',
  'params',
  'namespaceObject',
  'authorizer',
  'authorizer.requestResource',
  'variables.first',
];

function meaningOf(name: string): string {
  const words = variableWords[name];
  if (words !== undefined) return words;
  if (name === 'variables.first') return 'A variable that stands before, in the list `variables`.';
  throw new Error(`no words about ${name}`);
}

/** The page that says which variables the expressions of a policy have, as the compiler has them. */
export async function variablesPage(): Promise<Page> {
  const lint = await loadAnswerer('lint', { clock: () => 0 });
  const sections: string[] = [];
  for (const [kind, { places, rest }] of Object.entries(kinds)) {
    const rows: string[][] = [];
    for (const { field, gives, spec, expression } of places) {
      const declared: string[] = [];
      for (const name of names) {
        const inPlace = { ...rest, ...spec(expression(name)) };
        if (await isDeclared(lint, kind, inPlace)) declared.push(code(name));
      }
      rows.push([code(field), gives, declared.join(', ')]);
    }
    sections.push(`## ${kind}\n\n${table(['expression', 'gives', 'variables'], rows)}`);
  }
  const meanings = names.map((name) => [code(name), meaningOf(name)]);
  const fields = Object.entries(requestWords['kubernetes.AdmissionRequest'] ?? {}).map(
    ([name, meaning]) => [code(`request.${name}`), meaning],
  );
  const markdown = `# Variables of policies

Which variables an expression has depends on where it stands. The tables were made by compiling an expression with each variable in each place.

${table(['variable', 'meaning'], meanings)}

## Fields of the request

${table(['field', 'meaning'], fields)}

${sections.join('\n\n')}

The fields of \`object\` and \`oldObject\` are those of the kinds that the policy matches; the [linter](./lint/) and the [playground](/playground/) know them.
`;
  return { path: 'reference/variables', markdown };
}

/** Whether kube-apiserver would take a policy; anything but an undeclared variable is a mistake of this page. */
async function isDeclared(lint: Answerer, kind: string, spec: object): Promise<boolean> {
  const policy = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: 'a.example.com' },
    spec: {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: podRules,
      ...spec,
    },
  };
  const answer = JSON.stringify(await lint({ id: kind, resources: [policy] }));
  if (!answer.includes('"message"')) return true;
  if (answer.includes('undeclared reference') || answer.includes('undefined field')) return false;
  throw new Error(answer);
}
