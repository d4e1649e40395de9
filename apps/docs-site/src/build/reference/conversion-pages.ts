import { existsSync } from 'node:fs';
import { parse } from 'yaml';
import { block, type Page } from '../page.ts';
import { readText, repositoryPath } from '../repository.ts';
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

/** A construct of Kyverno's rules: where its cases are, which of them they are, and what to know of all of them. */
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
      'Each control of the level becomes a validation, with what the rule excludes for some images or fields taken out of it. Of a CronJob Kyverno looks at the annotations of the job for AppArmor, the result at those of the pod.',
  },
  {
    path: 'any-pattern',
    title: 'anyPattern',
    file: 'patterns',
    shows: ({ rule }) => rule?.validate?.['anyPattern'] !== undefined,
    about:
      'The patterns become alternatives of one validation. A pattern that does not concern the object is not enough: one has to pass, or none may concern it.',
  },
  {
    path: 'controllers-of-pods',
    title: 'Controllers of pods',
    file: 'patterns',
    shows: ({ name }) => name.includes('controllers'),
    about:
      'Kyverno makes rules about pods into rules about what makes pods (`pod-policies.kyverno.io/autogen-controllers`). The result is one policy about all of them, which asks `variables.pod`: the pod, or the template of the controller. Mutations become a policy for each form of template, since they name the types of what they change.',
  },
  {
    path: 'patterns',
    title: 'pattern',
    file: 'patterns',
    about:
      'Each thing that a pattern asks for becomes a part of one validation. Anchors become `has()`, optional values and alternatives. An enforced rule has `variables.violatedBefore`, since Kyverno lets an update pass whose object was denied before; `--idiomatic` leaves it out.',
  },
  {
    path: 'foreach',
    title: 'foreach',
    file: 'conditions',
    shows: ({ rule }) => rule?.validate?.['foreach'] !== undefined,
    about:
      'A loop becomes `all()` over the list, with the name of the element. A precondition of the loop about something that an element has not leaves the element out, as in Kyverno.',
  },
  {
    path: 'preconditions',
    title: 'preconditions',
    file: 'conditions',
    shows: ({ rule }) => rule?.preconditions !== undefined,
    about:
      'Preconditions become a match condition. Match conditions know no variables of the policy, so that preconditions about the pod of a controller guard the validation instead.',
  },
  {
    path: 'context',
    title: 'context',
    file: 'conditions',
    shows: ({ rule }) => rule?.context !== undefined,
    about:
      'A variable of the context stands for its expression wherever it is used; a ConfigMap becomes the parameter of the policy. What asks registries, the API or other services has no equal.',
  },
  {
    path: 'conditions',
    title: 'deny, operators and JMESPath',
    file: 'conditions',
    about:
      'Each alternative that is denied becomes a validation. Conditions are compared as Kyverno compares them: quantities by their amount, durations as durations, and an operator holds for nothing that is null. Kyverno takes a `*` in a value of the object for a wildcard, and a text that is a number for seconds beside a duration; so does the result, while `--idiomatic` leaves both out and says so. Kyverno asks every such rule about deletions; the result is asked about them where the rule speaks of them, by a policy of its own, and the report tells of the others.',
  },
  {
    path: 'matching',
    title: 'match and exclude',
    file: 'matching',
    about:
      'Kinds become resource rules; what resource rules and selectors cannot say becomes match conditions. Labels are asked of the object alone, as in Kyverno; with `--idiomatic` they become an `objectSelector`, which looks at the object before an update, too.',
  },
  {
    path: 'mutation-loops',
    title: 'mutate.foreach',
    file: 'mutations',
    shows: ({ rule }) => rule?.mutate?.['foreach'] !== undefined,
    about:
      'A loop becomes a JSON patch made by `map()` over the list. Kyverno gives an element what it lacks from the element before it; here each element is asked by itself, which the report says.',
  },
  {
    path: 'json-patches',
    title: 'patchesJson6902',
    file: 'mutations',
    shows: ({ rule }) => rule?.mutate?.['patchesJson6902'] !== undefined,
    about:
      'The operations become those of a JSON patch. Kyverno makes what is missing on the way of an addition, and passes over a removal of what is not there; so do the results.',
  },
  {
    path: 'mutations',
    title: 'patchStrategicMerge',
    file: 'mutations',
    about:
      'A strategic merge patch of maps becomes an apply configuration. Where it has lists, removes fields or changes a part of what server-side apply takes as a whole, it becomes a JSON patch. Kyverno puts the elements of a list that it patches before the others, and so do the results; with `--idiomatic` elements stay where they are.',
  },
  {
    path: 'cel-rules',
    title: 'validate.cel',
    file: 'policies',
    shows: ({ name }) => name === 'a rule in CEL',
    about:
      'The expressions are those of admission policies already. Kyverno takes `x.orValue(y)` for `x` where it is no optional value; kube-apiserver ends in an error, so that the call is left out there.',
  },
  {
    path: 'actions-and-exceptions',
    title: 'Failure actions, exceptions and namespaces',
    file: 'policies',
    shows: ({ policy }) => policy?.kind === 'Policy' || policy?.kind === 'ClusterPolicy',
    about:
      'The action of a rule is that of its binding, and another action in some namespaces is another binding. An exception becomes a match condition; a Policy acts in its own namespace. `--to kyverno` writes the same as policies of Kyverno in CEL, and `--idiomatic` the simple expression where it means something slightly else.',
  },
  {
    path: 'gatekeeper',
    title: 'Constraints of Gatekeeper',
    file: 'policies',
    shows: ({ policy }) => policy?.kind === 'K8sRequiredLabels',
    about:
      'A constraint whose template is in CEL becomes a policy of its own, with its parameters as a variable. Templates in Rego have no equal.',
  },
  {
    path: 'cel-policies',
    title: 'ValidatingPolicy and MutatingPolicy',
    file: 'policies',
    about:
      "Expressions stay as they are, as long as they use no library of Kyverno; for controllers of pods there are policies of their own, as Kyverno makes them. kube-apiserver refuses a patch that leads through what is missing, or to what the kind does not have, where Kyverno's engine goes on: the report says so of each policy that changes objects.",
  },
  {
    path: 'without-equal',
    title: 'Without an equal',
    file: 'without-equal',
    about:
      'What admission policies cannot do is never left out silently: the report says what and why, and the exit code is 1 unless `--allow-partial` is given.',
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

What \`kubeadmit convert\` makes of each construct, before and after. The tests hold every pair, and ask both engines about objects that pass and objects that do not.

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
    : 'Becomes nothing.';
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const told = reason === undefined ? '' : `\n\nThe report says: ${reason}.`;
  return `## ${title}\n\n${before}\n\n${after}${told}`;
}
