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
    messageExpression: "'say which team ' + object.metadata.name + ' belongs to: label example.com/team'"
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
- name: of a team
  expect: allowed
- name: of nobody
  remove: [metadata.labels]
  expect:
    message: 'say which team web belongs to: label example.com/team'
    reason: Invalid
- name: the team taken away
  operation: UPDATE
  remove: ['metadata.labels["example.com/team"]']
  expect: denied
`;

const github = `name: policies
on: [push, pull_request]
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v4
    - uses: actions/setup-node@v4
      with: {node-version: 22}
    - run: npx --yes @kubeadmit/cli lint -o github FOLDER
    - run: npx --yes @kubeadmit/cli test --strict -o github -o junit=policies.xml --coverage-threshold 100 FOLDER
`;

const gitlab = `policies:
  image: node:22
  script:
  - npx --yes @kubeadmit/cli lint -o gitlab=lint.json FOLDER
  - npx --yes @kubeadmit/cli test --strict -o text -o junit=policies.xml --coverage-threshold 100 FOLDER
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
  const job = { github, gitlab, none: undefined }[ci]?.replaceAll('FOLDER', folder);
  if (job !== undefined) {
    files.set(ci === 'github' ? '.github/workflows/policies.yaml' : '.gitlab-ci.yml', job);
  }
  return files;
}
