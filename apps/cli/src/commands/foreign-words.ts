/** Commands of other tools, and what is asked here instead. */
const commands: Readonly<Record<string, string>> = {
  apply:
    '`kubeadmit check POLICIES -r MANIFESTS` asks policies about manifests; nothing is written to a cluster',
  audit: '`kubeadmit scan` asks policies about what a cluster holds',
  verify: '`kubeadmit test` runs suites, also those of gator',
  run: '`kubeadmit test` runs tests, also those of kaptest',
  get: 'kubectl reads clusters; `kubeadmit scan` asks policies about what one holds',
  create: '`kubeadmit init` writes a policy with its tests to start from',
  fix: '`kubeadmit lint --fix` repairs what can be repaired for certain',
  jp: '`kubeadmit eval` evaluates CEL; JMESPath is evaluated in rules only',
  push: 'files, revisions of git, archives and registries are read; nothing is written to them',
};

const manifests = 'manifests are named without an option, or with -r; policies with -p';

/** Options of other tools, and what there is here instead. */
const options: Readonly<Record<string, string>> = {
  '-f': manifests,
  '--filename': manifests,
  '--resource': manifests,
  '-R': 'folders are read with all that is below them',
  '--recursive': 'folders are read with all that is below them',
  '-k': 'the folder of a kustomization is named without an option',
  '--kustomize': 'the folder of a kustomization is named without an option',
  '-A': 'a scan is about all namespaces where --namespace names none',
  '--all-namespaces': 'a scan is about all namespaces where --namespace names none',
  '--dry-run':
    'nothing is written to a cluster; --dry-run, without a value, makes requests that are dry runs',
  '--cluster': '`kubeadmit scan --context NAME` asks policies about what a cluster holds',
  '--policy-report': '-o policyreport prints PolicyReports',
  '--output-format': '-o names the format: -o json',
  '--table': 'text is what -o prints by default',
  '--audit-warn': 'audited failures are shown; --fail-on-audit counts them as denials',
  '--warn-exit-code': '--fail-on-warn counts warnings as denials, with the exit code 1',
  '--userinfo': '--as and --as-group name the user',
  '-u': '--as and --as-group name the user',
  '--values-file':
    "values of Kyverno's tests are read by `kubeadmit test`; --helm-values is for charts",
  '--exceptions': 'exceptions are named as the policies are',
  '--exception': 'exceptions are named as the policies are',
  '--target-resource': 'rules for existing objects are asked by `kubeadmit test`',
  '--git-branch': 'BRANCH:FOLDER reads what git has in a revision',
};

/** What somebody who knows another tool may mean, where a command or an option is not known. */
export function foreignWord(kind: 'command' | 'option', word: string): string | undefined {
  const known = kind === 'command' ? commands : options;
  const [name = ''] = word.split('=');
  return Object.hasOwn(known, name) ? known[name] : undefined;
}
