/** Commands of other tools, and their equivalents. */
const commands: Readonly<Record<string, string>> = {
  apply: 'use `kubeadmit check POLICIES -r MANIFESTS`; nothing is written to a cluster',
  audit: 'use `kubeadmit scan` to check the objects in a cluster',
  verify: 'use `kubeadmit test`, which also runs suites of gator',
  run: 'use `kubeadmit test`, which also runs tests of kaptest',
  get: 'use `kubectl get` to read objects, `kubeadmit scan` to check them',
  create: 'use `kubeadmit init` to create a policy with tests',
  fix: 'use `kubeadmit lint --fix`',
  jp: 'use `kubeadmit eval` for CEL, `kubeadmit machine kyverno jmespath` for JMESPath',
  push: 'kubeadmit reads from registries and does not write to them',
};

const manifests = 'pass manifests without an option or with -r, policies with -p';

/** Options of other tools, and their equivalents. */
const options: Readonly<Record<string, string>> = {
  '-f': manifests,
  '--filename': manifests,
  '--resource': manifests,
  '-R': 'folders are always read recursively',
  '--recursive': 'folders are always read recursively',
  '-k': 'pass the folder of a kustomization without an option',
  '--kustomize': 'pass the folder of a kustomization without an option',
  '-A': 'all namespaces are scanned unless --namespace is given',
  '--all-namespaces': 'all namespaces are scanned unless --namespace is given',
  '--dry-run':
    'nothing is written to a cluster; --dry-run takes no value and marks the requests as dry runs',
  '--cluster': 'use `kubeadmit scan --context NAME`',
  '--policy-report': 'use -o policyreport',
  '--output-format': 'use -o, for example -o json',
  '--table': 'text is the default format',
  '--audit-warn': 'audited failures are shown; --fail-on-audit counts them as denials',
  '--warn-exit-code': '--fail-on-warn counts warnings as denials, with the exit code 1',
  '--userinfo': 'use --as and --as-group',
  '-u': 'use --as and --as-group',
  '--values-file':
    '`kubeadmit test` reads the values of Kyverno tests; --helm-values is for charts',
  '--exceptions': 'pass exceptions like policies',
  '--exception': 'pass exceptions like policies',
  '--target-resource': 'use `kubeadmit test` for rules that mutate existing objects',
  '--git-branch': 'use BRANCH:FOLDER to read from a git revision',
};

/** Returns the equivalent of another tool's command or option, if there is one. */
export function foreignWord(kind: 'command' | 'option', word: string): string | undefined {
  const known = kind === 'command' ? commands : options;
  const [name = ''] = word.split('=');
  if (Object.hasOwn(known, name)) return known[name];
  const isPath = kind === 'command' && /[./\\]/.test(word);
  return isPath ? 'use `kubeadmit check POLICIES -r MANIFESTS` to check files' : undefined;
}

/** Returns advice about an option before the command. */
export function leadingOption(option: string): string {
  return option === '-v'
    ? 'use `kubeadmit version`, or -V'
    : 'options follow the command, for example `kubeadmit check -o json`';
}
