type Files = Readonly<Record<string, string>>;

const kyvernoPolicy = /^apiVersion: ["']?(?:policies\.)?kyverno\.io\//m;
const kinds = /^kind: *["']?(\w+)/gm;

/**
 * Returns the files that only bind policies and became useless when a Kyverno policy replaced a policy of Kubernetes.
 *
 * Only files that were not edited since they were opened are returned.
 */
export function uselessBindings(
  files: Files,
  opened: Files,
  { before = '', after }: { readonly before: string | undefined; readonly after: string },
): readonly string[] {
  if (kyvernoPolicy.test(before) || !kyvernoPolicy.test(after)) return [];
  if (kindsOf(files).some((kind) => /^(?:Validat|Mutat)ingAdmissionPolicy$/.test(kind))) return [];
  return Object.entries(files)
    .filter(([name, text]) => opened[name] === text && holdsOnlyBindings(text))
    .map(([name]) => name);
}

function kindsOf(files: Files): readonly string[] {
  return Object.values(files).flatMap((text) =>
    [...text.matchAll(kinds)].map(([, kind = '']) => kind),
  );
}

function holdsOnlyBindings(text: string): boolean {
  const found = kindsOf({ text });
  return found.length > 0 && found.every((kind) => kind.endsWith('AdmissionPolicyBinding'));
}
