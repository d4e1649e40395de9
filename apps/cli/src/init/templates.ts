import { version } from '../process/version.ts';

const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: team-label
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
    - apiGroups: ["apps"]
      apiVersions: ["v1"]
      operations: ["CREATE", "UPDATE"]
      resources: ["deployments"]
  validations:
  - expression: "'example.com/team' in object.metadata.?labels.orValue({})"
    messageExpression: "object.metadata.name + ' has no team: set the label example.com/team'"
    reason: Invalid
`;

const binding = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: team-label
spec:
  policyName: team-label
  validationActions: [Deny]
`;

const suite = `policies: [policy.yaml, binding.yaml]
object:
  apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: web
    labels: {example.com/team: storefront}
  spec: {}
cases:
- name: with a team label
  expect: allowed
- name: without labels
  remove: [metadata.labels]
  expect:
    message: 'web has no team: set the label example.com/team'
    reason: Invalid
- name: the team label is removed
  operation: UPDATE
  remove: ['metadata.labels["example.com/team"]']
  expect: denied
`;

// npm runs before or outside the checkout because a pull request could contain an .npmrc or node_modules.
const install = `npm install --global --ignore-scripts --registry https://registry.npmjs.org/ @kubeadmit/cli@${version}`;

const github = `name: policies
on: [push, pull_request]
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0
      with: {node-version: 22, package-manager-cache: false}
    - run: ${install}
    - uses: actions/checkout@93cb6efe18208431cddfb8368fd83d5badbf9bfd # v5.0.1
      with: {persist-credentials: false}
    - run: >-
        kubeadmit lint -o github -- FOLDER
    - run: >-
        kubeadmit test --strict -o github -o junit=policies.xml --coverage-threshold 100 -- FOLDER
`;

const gitlab = `policies:
  image: docker.io/library/node:22-slim@sha256:c3de60bf2f9dd0ac6370e6117950ff62d6e339527e7472301c9c78a017978392
  before_script:
  - (cd / && ${install})
  script:
  - >-
    kubeadmit lint -o gitlab=lint.json -- FOLDER
  - >-
    kubeadmit test --strict -o text -o junit=policies.xml --coverage-threshold 100 -- FOLDER
  artifacts:
    when: always
    reports:
      junit: policies.xml
      codequality: lint.json
`;

/** The files of CI systems, by their names. */
export const ciSystems = ['github', 'gitlab', 'none'] as const;

/** One of {@link ciSystems}. */
export type CiSystem = (typeof ciSystems)[number];

/**
 * The files to start from: a policy, its binding and their tests in a folder, and a job that runs the tests, by their
 * paths from the root of the repository.
 */
export function startFiles(folder: string, ci: CiSystem): ReadonlyMap<string, string> {
  const below = (name: string): string => (folder === '.' ? name : `${folder}/${name}`);
  const files = new Map([
    [below('policy.yaml'), policy],
    [below('binding.yaml'), binding],
    [below('team-label.admit.yaml'), suite],
  ]);
  const job = { github, gitlab, none: undefined }[ci]?.replaceAll('FOLDER', () =>
    shellWord(folder),
  );
  if (job !== undefined) {
    files.set(ci === 'github' ? '.github/workflows/policies.yaml' : '.gitlab-ci.yml', job);
  }
  return files;
}

/** The files of CI jobs. */
export const jobFiles: ReadonlySet<string> = new Set([
  '.github/workflows/policies.yaml',
  '.gitlab-ci.yml',
]);

/**
 * Why the name of a folder cannot be part of a job, or undefined if it can. GitHub replaces expressions before a shell
 * reads the command, so that quotes do not help.
 */
export function folderNameProblem(folder: string): string | undefined {
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(folder)) return 'contains control characters';
  return folder.includes('${{')
    ? 'contains `${{`, which starts a GitHub Actions expression'
    : undefined;
}

/** Writes a name as one word of a shell. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
