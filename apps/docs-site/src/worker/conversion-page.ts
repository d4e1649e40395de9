type JsonObject = Readonly<Record<string, unknown>>;

/** Pages of `reference/conversion` by the field of a rule, or of its `validate` or `mutate`, that they are about. */
const pages: readonly (readonly [parts: readonly string[], page: string])[] = [
  [['verifyImages'], 'without-equal'],
  [['generate'], 'without-equal'],
  [['validate', 'podSecurity'], 'pod-security'],
  [['validate', 'anyPattern'], 'any-pattern'],
  [['validate', 'pattern'], 'patterns'],
  [['validate', 'foreach'], 'foreach'],
  [['validate', 'cel'], 'cel-rules'],
  [['validate', 'deny'], 'conditions'],
  [['mutate', 'foreach'], 'mutation-loops'],
  [['mutate', 'patchesJson6902'], 'json-patches'],
  [['mutate', 'patchStrategicMerge'], 'mutations'],
];

/** Returns the name of the reference page about the conversion of a rule, or of a policy without rules. */
export function conversionPage(policy: JsonObject, rule: number): string {
  const kind = String(policy['kind']);
  if (/^(?:Cluster)?Policy$/.test(kind)) {
    const given = valueAt(policy, ['spec', 'rules', rule]);
    return pages.find(([path]) => valueAt(given, path) !== undefined)?.[1] ?? 'matching';
  }
  return /(?:Validating|Mutating)Policy$/.test(kind) ? 'cel-policies' : 'gatekeeper';
}

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  let found = value;
  for (const part of path) found = (found as Readonly<Record<string, unknown>> | undefined)?.[part];
  return found;
}
