/** The identifier of a known difference between a result and its rule. */
export type DifferenceCode = keyof typeof texts | 'order' | 'roles' | 'overrides';

/** A known difference between a result and its rule, with the sentence that the report contains. */
export interface DifferenceNote {
  /** The difference, for programs. */
  readonly code: DifferenceCode;
  /** The difference, for people. */
  readonly text: string;
}

/** A sentence of the report about a rule; a known difference explains differing requests. */
export type Note = string | DifferenceNote;

const texts = {
  everyKind:
    'kube-apiserver never evaluates admission policies for admission policies, their bindings, and token or access reviews',
  lastElement:
    'Kyverno fills missing fields of an element from the previous element; the result evaluates each element separately',
  firstElement:
    'Kyverno checks only the first element of a list for the field that `+( )` adds; the result checks each element',
  jobAnnotations:
    'for AppArmor in a CronJob, Kyverno reads the annotations of the job; the result reads those of the pod',
  strictUpdates:
    'the result also denies an update if the old object violated the rule; Kyverno allows that',
  wildcards:
    'Kyverno treats `*` and `?` in a value of the object as wildcards; the result treats them as plain characters',
  severalKeys:
    'if a key with wildcards matches several labels or annotations, Kyverno checks one of them; the result checks all',
  quotedObject:
    'the rule uses `request."object"`, which the rules that Kyverno generates for controllers do not rewrite: they check the labels of the controller; the result checks those of its pods',
  refusedPatch:
    'kube-apiserver rejects a patch with a missing parent or an unknown field; with Kyverno, the parent is created and the field dropped',
  deletions:
    'the Kyverno rule lists no operations, so it also runs on DELETE; the result does not; instead: list `operations` in `match`, with DELETE if you need it',
  absence:
    'if the argument of a function or condition is missing, Kyverno fails with an error; the result may decide',
  existence:
    'the result allows an update that violates a pattern with an existence anchor if the old object violated it too; Kyverno denies some of these updates',
  plainSeconds:
    'Kyverno reads a string that is a number without a unit as seconds; the result does not read it as a duration',
  ignoredBefore:
    'with the failure policy Ignore, the result allows an update if evaluating the old object ends in an error; Kyverno denies it if the new object violates the rule',
  lateVariables:
    'on an update, Kyverno reads a variable of the context from the old object if no condition read it for the new one; the result always reads the new object',
  unquoted:
    'Kyverno reads the value of a variable without quotes in `patchesJson6902` as YAML, so that `5` becomes a number; the result takes it as a string; instead: put the variable in quotes',
  embedded:
    'Kyverno evaluates a string again after it replaced a variable in it, so that `{{ }}` in the value is a variable too, and it escapes quotes in lists; the result takes the value unchanged',
  spliced:
    'Kyverno replaces a variable before it reads `patchesJson6902`, so that `{{ }}`, a quote, backslash or line break in the value changes the patch or makes it invalid; the result takes the value unchanged; instead: use `patchStrategicMerge`',
} as const;

/** The known differences whose sentence is the same for every rule. */
export const differenceNotes = Object.fromEntries(
  Object.entries(texts).map(([code, text]) => [code, { code, text }]),
) as Readonly<Record<keyof typeof texts, DifferenceNote>>;

/** The note about the order of a merged list. */
export function orderNote(key: string): DifferenceNote {
  return {
    code: 'order',
    text: `Kyverno moves patched elements of \`${key}\` to the front; the result keeps their order`,
  };
}

/** The note about roles. */
export function rolesNote(role: string, place: 'match' | 'exclude'): DifferenceNote {
  return {
    code: 'roles',
    text: `\`${role}\` in ${place}: admission policies cannot read the roles of a user, so the result matches more users; instead: list groups or users, or check the required permission with the authorizer`,
  };
}

/** The note about failure actions that no binding can choose. */
export const overridesNote: DifferenceNote = {
  code: 'overrides',
  text: 'overrides of the failure action by selectors or wildcards are not converted; instead: create one binding for each action',
};

/** The note about failure actions of some namespaces in a result without bindings. */
export const unboundOverridesNote: DifferenceNote = {
  code: 'overrides',
  text: 'overrides of the failure action are left out, because a ValidatingPolicy has one action; instead: write a policy for each action, with a namespaceSelector',
};

/** The sentence of a note. */
export function noteText(note: Note): string {
  return typeof note === 'string' ? note : note.text;
}

/** The notes without those whose sentence occurs before. */
export function distinctNotes(notes: readonly Note[]): readonly Note[] {
  return [...new Map(notes.map((note) => [noteText(note), note])).values()];
}

/** The known differences among notes. */
export function differencesAmong(notes: readonly Note[]): readonly DifferenceNote[] {
  return notes.filter((note) => typeof note !== 'string');
}
