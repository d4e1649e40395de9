import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { type Expression, printExpression } from '@kubeadmit/cel/syntax';
import { parsed } from '@kubeadmit/difference/unstable-internal';
import { listResources, type Resource, type Schemas } from '@kubeadmit/schemas';
import { binding, member, operand } from '../cel/term.ts';
import { oneOf } from '../cel/wildcard.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { type Patch, patchesFor, pathText } from './json-patches.ts';
import { hasField } from './kind-fields.ts';
import { withoutOwnElements } from './own-elements.ts';

/**
 * Returns the mutations of a MutatingPolicy in a form that kube-apiserver accepts.
 *
 * kube-apiserver is stricter than Kyverno. It rejects apply configurations whose lists repeat elements of the
 * object, and patches of unknown fields. It also rejects paths through missing fields, even if the previous
 * mutation wrote an empty map there.
 *
 * @throws Unsupported if there is no equivalent form.
 */
export function servedMutations(spec: JsonObject, schemas: Schemas): readonly JsonObject[] {
  const mutations = Array.isArray(spec['mutations']) ? spec['mutations'].filter(isObject) : [];
  const kinds = kindsOf(spec['matchConstraints'], schemas);
  const openers: Opener[] = [];
  return mutations.flatMap((mutation) => {
    const { applyConfiguration, jsonPatch } = mutation;
    if (isObject(applyConfiguration)) {
      const expression = withoutOwnElements(String(applyConfiguration['expression']));
      return [{ ...mutation, applyConfiguration: { ...applyConfiguration, expression } }];
    }
    if (!isObject(jsonPatch)) return [mutation];
    const text = String(jsonPatch['expression']);
    const tree = parsed(text);
    if (tree === undefined) return [mutation];
    const all = patchesFor(tree);
    if (all.length > 0 && all.every(isOpening)) {
      openers.push({ text, paths: all.map(({ path }) => pathText(path)) });
      return [];
    }
    const before = openers.filter(({ paths }) =>
      all.some(({ path }) => paths.some((each) => pathText(path).startsWith(each))),
    );
    const own = forKinds(text, tree, kinds, schemas);
    if (own === undefined) return [];
    const expression = [...before.map((each) => each.text), own].map(joinable).join(' +\n');
    return [{ ...mutation, jsonPatch: { ...jsonPatch, expression } }];
  });
}

/** Whether JSON patches have paths of which not even the beginning is known before a request comes. */
export function hasComputedPaths(mutations: unknown): boolean {
  return (Array.isArray(mutations) ? mutations.filter(isObject) : []).some(({ jsonPatch }) => {
    const text = isObject(jsonPatch) ? String(jsonPatch['expression']) : '';
    const tree = parsed(text);
    return tree !== undefined && patchesFor(tree).some(({ path }) => /^\{/.test(pathText(path)));
  });
}

/** A mutation that only makes empty maps: the server has forgotten them when the next mutation begins. */
interface Opener {
  readonly text: string;
  readonly paths: readonly string[];
}

function isOpening({ operation, value }: Patch): boolean {
  return operation === 'add' && value?.kind === 'map' && value.entries.length === 0;
}

function joinable(text: string, _at: number, all: readonly string[]): string {
  return all.length === 1 ? text : `(${text.trim()})`;
}

// The mutation for those kinds that have its fields; none where no kind has.
function forKinds(
  text: string,
  tree: Expression,
  kinds: readonly Resource[],
  schemas: Schemas,
): string | undefined {
  if (kinds.length === 0) return text;
  const acting = kinds.filter((kind) => {
    const patches = patchesFor(tree, (path) => hasField(kind, path, schemas), kind.kind);
    const unknown = patches.filter(
      ({ operation, path }) =>
        ['add', 'replace'].includes(operation ?? '') && !hasField(kind, pathText(path), schemas),
    );
    const [first] = unknown;
    if (first !== undefined && unknown.length < patches.length) {
      throw new Unsupported(
        `a JSON patch of ${printExpression(first.path)}, which ${kind.kind} does not have and kube-apiserver therefore rejects`,
        'guard the patches of each kind by `object.kind`',
      );
    }
    return first === undefined;
  });
  if (acting.length === kinds.length) return text;
  if (acting.length === 0) return undefined;
  const names = acting.map(({ kind }) => kind);
  const test = operand(oneOf(member('object.kind'), names), binding.or);
  return `${test} ? (${text.trim()}) : []`;
}

function kindsOf(constraints: unknown, schemas: Schemas): readonly Resource[] {
  const rules = isObject(constraints) ? constraints['resourceRules'] : undefined;
  const list = Array.isArray(rules) ? rules.filter(isObject) : [];
  const has = (names: unknown, name: string): boolean =>
    Array.isArray(names) && names.includes(name);
  // Nothing is known about kinds other than the named ones.
  const isOpen = list.some((rule) =>
    ['apiGroups', 'apiVersions', 'resources'].some((key) => has(rule[key], '*')),
  );
  if (isOpen) return [];
  return listResources(schemas).filter(({ group, version, resource }) =>
    list.some(
      (rule) =>
        has(rule['apiGroups'], group) &&
        has(rule['apiVersions'], version) &&
        has(rule['resources'], resource),
    ),
  );
}
