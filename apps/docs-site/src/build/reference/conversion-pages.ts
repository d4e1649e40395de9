import { existsSync } from 'node:fs';
import { parse } from 'yaml';
import { block, type Page, withBraces } from '../shared/page.ts';
import { readText, repositoryPath } from '../shared/repository.ts';
import { proofSection } from './conversion-proofs.ts';

const folder = 'packages/convert/test';

interface Case {
  readonly name: string;
  readonly reason?: string;
  readonly rule?: {
    readonly validate?: Readonly<Record<string, unknown>>;
    readonly mutate?: Readonly<Record<string, unknown>>;
    readonly preconditions?: unknown;
    readonly context?: unknown;
  };
  readonly policy?: { readonly kind: string };
}

/** A construct of Kyverno's rules: the file of its cases, their names, and a description of all of them. */
interface Construct {
  readonly path: string;
  readonly title: string;
  readonly file: string;
  /** Whether a case that no construct before has shows this one; the rest of the file where it is absent. */
  readonly shows?: (given: Case) => boolean;
  readonly about: string;
}

const constructs: readonly Construct[] = [
  {
    path: 'pod-security',
    title: 'podSecurity',
    file: 'patterns',
    shows: ({ rule }) => rule?.validate?.['podSecurity'] !== undefined,
    about:
      'Each control of the level becomes a validation without the images and fields that the rule excludes. For AppArmor in a CronJob, Kyverno reads the annotations of the job; the result reads those of the pod.',
  },
  {
    path: 'any-pattern',
    title: 'anyPattern',
    file: 'patterns',
    shows: ({ rule }) => rule?.validate?.['anyPattern'] !== undefined,
    about:
      'The patterns become alternatives of one validation. The object is valid if one pattern passes, or if no pattern applies to it.',
  },
  {
    path: 'controllers-of-pods',
    title: 'Controllers of pods',
    file: 'patterns',
    shows: ({ name }) => name.includes('controllers'),
    about:
      'Kyverno generates rules for pod controllers from rules for pods (`pod-policies.kyverno.io/autogen-controllers`). The result is one policy for all of these kinds, which reads `variables.pod`: the pod, or the template of the controller. A mutation becomes one policy for each form of template, because it names the types that it changes.',
  },
  {
    path: 'patterns',
    title: 'pattern',
    file: 'patterns',
    about:
      'Each requirement of a pattern becomes a part of one validation. Anchors become `has()`, optional values and alternatives. An enforced rule gets `variables.violatedBefore`, because Kyverno allows an update if the old object violated the rule too; `--idiomatic` omits it.',
  },
  {
    path: 'foreach',
    title: 'foreach',
    file: 'conditions',
    shows: ({ rule }) => rule?.validate?.['foreach'] !== undefined,
    about:
      'A loop becomes `all()` over the list, with the name of the element. An element without a field that a precondition of the loop reads is skipped, as in Kyverno.',
  },
  {
    path: 'preconditions',
    title: 'preconditions',
    file: 'conditions',
    shows: ({ rule }) => rule?.preconditions !== undefined,
    about:
      'Preconditions become a match condition. Match conditions cannot use the variables of a policy, so preconditions about the pod of a controller become a part of the validation.',
  },
  {
    path: 'context',
    title: 'context',
    file: 'conditions',
    shows: ({ rule }) => rule?.context !== undefined,
    about:
      'A variable of the context is replaced by its expression wherever it is used; a ConfigMap becomes the parameter of the policy. Calls to registries, the API or other services have no equivalent.',
  },
  {
    path: 'conditions',
    title: 'deny, operators and JMESPath',
    file: 'conditions',
    about:
      'Each denied alternative becomes a validation. Values are compared as in Kyverno: quantities by amount, durations as durations, and null never satisfies an operator. Kyverno treats a `*` in a value of the object as a wildcard, and compares a string that is a number with a duration as seconds; so does the result. `--idiomatic` omits both and reports that. Kyverno runs every such rule on DELETE. A rule that mentions DELETE becomes a separate policy for deletions; the report lists the others.',
  },
  {
    path: 'matching',
    title: 'match and exclude',
    file: 'matching',
    about:
      'Kinds become resource rules. Criteria that resource rules and selectors cannot express become match conditions. Labels are matched on the new object only, as in Kyverno; with `--idiomatic` they become an `objectSelector`, which also matches the old object.',
  },
  {
    path: 'mutation-loops',
    title: 'mutate.foreach',
    file: 'mutations',
    shows: ({ rule }) => rule?.mutate?.['foreach'] !== undefined,
    about:
      'A loop becomes a JSON patch made by `map()` over the list. Kyverno fills missing fields of an element from the previous element; the result evaluates each element separately, and the report says so.',
  },
  {
    path: 'json-patches',
    title: 'patchesJson6902',
    file: 'mutations',
    shows: ({ rule }) => rule?.mutate?.['patchesJson6902'] !== undefined,
    about:
      'The operations become those of a JSON patch. Kyverno creates the missing parents of an added field and ignores the removal of a missing field; so do the results.',
  },
  {
    path: 'mutations',
    title: 'patchStrategicMerge',
    file: 'mutations',
    about:
      'A strategic merge patch of maps becomes an apply configuration. A patch with lists, with removed fields, or of a part of an atomic field becomes a JSON patch. Kyverno moves patched elements of a list to the front, and so do the results; with `--idiomatic` the order stays.',
  },
  {
    path: 'cel-rules',
    title: 'validate.cel',
    file: 'policies',
    shows: ({ name }) => name === 'a rule in CEL',
    about:
      'The expressions are already those of admission policies. If `x` is not an optional value, Kyverno reads `x.orValue(y)` as `x`, and kube-apiserver fails with an error; the result omits the call.',
  },
  {
    path: 'actions-and-exceptions',
    title: 'Failure actions, exceptions and namespaces',
    file: 'policies',
    shows: ({ policy }) => policy?.kind === 'Policy' || policy?.kind === 'ClusterPolicy',
    about:
      'The failure action of a rule becomes the action of its binding; another action for some namespaces becomes another binding. An exception becomes a match condition. A Policy matches only its own namespace. `--to kyverno` writes the same as Kyverno policies in CEL, and `--idiomatic` prefers simpler expressions that differ slightly.',
  },
  {
    path: 'gatekeeper',
    title: 'Constraints of Gatekeeper',
    file: 'policies',
    shows: ({ policy }) => policy?.kind === 'K8sRequiredLabels',
    about:
      'A constraint whose template is in CEL becomes a policy with the parameters as a variable. Templates in Rego have no equivalent.',
  },
  {
    path: 'cel-policies',
    title: 'ValidatingPolicy and MutatingPolicy',
    file: 'policies',
    about:
      "Expressions stay unchanged unless they use a library of Kyverno. Pod controllers get separate policies, as in Kyverno. kube-apiserver rejects a patch with a missing parent or an unknown field, and Kyverno's engine does not; the report says so for each policy that changes objects.",
  },
  {
    path: 'without-equal',
    title: 'Not converted',
    file: 'without-equal',
    about:
      'Features that admission policies do not have are never dropped silently: the report lists them with the reason, and the exit code is 1 unless `--allow-partial` is given.',
  },
];

/** A page for each construct of Kyverno's rules, before and after, made of the files that the tests compare with. */
export function conversionPages(): Page[] {
  const taken = new Set<Case>();
  const files = new Map(
    [...new Set(constructs.map(({ file }) => file))].map((file) => [
      file,
      parse(readText(`${folder}/cases/${file}.yaml`)) as readonly Case[],
    ]),
  );
  const pages = constructs.map(({ path, title, file, shows, about }) => {
    const own = (files.get(file) ?? []).filter(
      (each) => !taken.has(each) && (shows === undefined || shows(each)),
    );
    if (own.length === 0) throw new Error(`no case shows ${title}`);
    for (const each of own) taken.add(each);
    const sections = own.map((each) => section(each, file)).join('\n\n');
    return {
      path: `reference/conversion/${path}`,
      markdown: `# ${title}\n\n${about}\n\n${sections}\n`,
    };
  });
  const list = constructs.map(({ path, title }) => `- [${title}](./${path})`).join('\n');
  const index = `# Conversion of Kyverno rules

Each construct of Kyverno's rules before and after \`kubeadmit convert\`. The tests contain every pair, and compare both engines on objects that pass and objects that do not.

${list}

${proofSection()}
`;
  return [{ path: 'reference/conversion/index', markdown: index }, ...pages];
}

function section({ name, reason }: Case, file: string): string {
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const path = `${folder}/goldens/${file}/${slug}`;
  const before = block('yaml', readText(`${path}.before.yaml`));
  const after = existsSync(repositoryPath(`${path}.after.yaml`))
    ? `Becomes:\n\n${block('yaml', readText(`${path}.after.yaml`))}`
    : 'Not converted.';
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const told = reason === undefined ? '' : `\n\nThe report says: ${withBraces(reason)}.`;
  return `## ${title}\n\n${before}\n\n${after}${told}`;
}
