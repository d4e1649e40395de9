// kube-apiserver's limit for the part after `WEBHOOK/` (the name in IsQualifiedName).
const longest = 63;
const failuresKey = 'validation.policy.admission.k8s.io/validation_failure';

/**
 * Returns audit annotations with keys that a webhook may return.
 *
 * kube-apiserver prefixes them with the webhook's name and a slash, so they are names without a slash and of at
 * most 63 characters.
 *
 * `POLICY/KEY` becomes `POLICY.KEY` if that fits, and otherwise `KEY`. Duplicates get a number as prefix.
 */
export function webhookAnnotations(
  annotations: Readonly<Record<string, string>>,
): Record<string, string> {
  const renamed = new Map<string, string>();
  for (const [key, value] of Object.entries(annotations)) {
    renamed.set(unusedName(webhookName(key), renamed), value);
  }
  return Object.fromEntries(renamed);
}

function webhookName(key: string): string {
  if (key === failuresKey) return 'validation_failure';
  const slash = key.indexOf('/');
  const whole = `${key.slice(0, Math.max(slash, 0))}.${key.slice(slash + 1)}`;
  return slash > 0 && whole.length <= longest ? whole : key.slice(slash + 1);
}

function unusedName(name: string, used: ReadonlyMap<string, string>): string {
  let unused = name;
  for (let number = 2; used.has(unused); number++) {
    const prefix = `${number}.`;
    unused = prefix + name.slice(0, longest - prefix.length).replace(/[^A-Za-z0-9]+$/, '');
  }
  return unused;
}
