import { Random } from '@kubeadmit/random';
import type { JsonObject } from '../json-object.ts';
import { lintCase } from '../lint.ts';
import { configMaps, coreRule, requestFor, validatingPolicy } from '../parts.ts';
import { clientCase } from '../policies.ts';
import { ownToRequests } from '../server/recorded-case.ts';
import { features } from './features.ts';

/** A case for a server: whether it accepts a policy or binding, or how its policies decide about a request. */
export type VersionCase =
  | { readonly id: string; readonly create: JsonObject }
  | {
      readonly id: string;
      /** A policy and its binding, which are about this request and no other. */
      readonly resources: readonly JsonObject[];
      readonly request: JsonObject;
    };

const administrator = { username: 'admin', groups: ['system:masters'] };

/** Returns the cases for every version; they depend only on the seed. */
export function versionCases(seed: number): VersionCase[] {
  return [
    ...features.map(featureCreation),
    ...lintCreations(new Random(seed), 1000),
    ...featureRequests(),
    ...clientRequests(new Random(seed + 1), 240),
  ];
}

function featureCreation(expression: string, index: number): VersionCase {
  return { id: `create-feature-${index}`, create: featurePolicy(expression, `f${index}`)[0] ?? {} };
}

function lintCreations(random: Random, count: number): VersionCase[] {
  const all = Array.from({ length: count }, (_, index) => {
    const [resource] = lintCase(random)['resources'] as JsonObject[];
    return { id: `create-lint-${index}`, create: resource as JsonObject };
  });
  // The path of a request takes a namespace away, and the server chooses how a generated name ends.
  return all.filter(({ create }) => !/"(namespace|generateName)":"/.test(JSON.stringify(create)));
}

function featurePolicy(expression: string, name: string): JsonObject[] {
  return validatingPolicy(name, {
    matchConstraints: { ...coreRule(['configmaps'], ['CREATE']), objectSelector: selector(name) },
    validations: [{ expression: `${expression} == '~'`, messageExpression: expression }],
  });
}

function selector(name: string): JsonObject {
  return { matchLabels: { case: name } };
}

const texts = ['abc', '', 'a-1, b,9'];

function featureRequests(): VersionCase[] {
  return features.flatMap((expression, index) =>
    texts.map((text, number) => {
      const name = `f${index}`;
      const object = {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'web', namespace: 'default', labels: { case: name } },
        data: { a: text },
      };
      return {
        id: `request-feature-${index}-${number}`,
        resources: featurePolicy(expression, name),
        request: requestFor(configMaps, { operation: 'CREATE', userInfo: administrator, object }),
      };
    }),
  );
}

function clientRequests(random: Random, count: number): VersionCase[] {
  const cases: VersionCase[] = [];
  while (cases.length < count) {
    const made = clientCase(random);
    const name = `c${cases.length}`;
    const isolated = isolate(made, name);
    if (isolated !== undefined) cases.push({ id: `request-client-${cases.length}`, ...isolated });
  }
  return cases;
}

// Returns a case that can run beside all others: it has its own policy and does not depend on shared objects.
function isolate(
  { resources, request }: JsonObject,
  name: string,
): { readonly resources: readonly JsonObject[]; readonly request: JsonObject } | undefined {
  const given = resources as JsonObject[];
  const policy = given.find(({ kind }) => kind === 'ValidatingAdmissionPolicy');
  const bound = given.find(({ kind }) => kind === 'ValidatingAdmissionPolicyBinding');
  const { operation, object, kind } = request as Record<string, JsonObject>;
  if (policy === undefined || bound === undefined || operation !== ('CREATE' as unknown))
    return undefined;
  const text = JSON.stringify([policy, bound]);
  const isShared =
    /namespaceObject|namespaceSelector|objectSelector|paramKind|paramRef|sentinel/.test(text);
  if (isShared || ownToRequests.test(text) || kind?.['group'] === 'example.com') return undefined;
  const spec = policy['spec'] as Record<string, JsonObject>;
  const metadata = object?.['metadata'] as Record<string, JsonObject>;
  const namespace =
    (request as JsonObject)['namespace'] === undefined ? {} : { namespace: 'default' };
  return {
    resources: [
      {
        ...policy,
        metadata: { name },
        spec: {
          ...spec,
          matchConstraints: { ...spec['matchConstraints'], objectSelector: selector(name) },
        },
      },
      {
        ...bound,
        metadata: { name },
        spec: { ...(bound['spec'] as JsonObject), policyName: name },
      },
    ],
    request: {
      ...(request as JsonObject),
      ...namespace,
      userInfo: administrator,
      object: {
        ...object,
        metadata: { ...metadata, ...namespace, labels: { ...metadata['labels'], case: name } },
      },
    },
  };
}
