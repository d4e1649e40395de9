// Prints the published policies whose verdict about a pod changes with the admission plugins, as rows of Markdown.
//
//   tsx src/published/main.ts PROGRAM POD FOLDER
//
// PROGRAM is the built CLI, POD the manifests of the guide, FOLDER the folder with the clones as OWNER/NAME.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type Collection, collections } from './policies.data.ts';

const [program, pod, clones] = process.argv.slice(2);
if (program === undefined || pod === undefined || clones === undefined)
  throw new Error('name the program, the manifests and the folder of clones');

const scratch = mkdtempSync(join(tmpdir(), 'published-'));
const changed: string[] = [];
const same: string[] = [];
for (const collection of collections) {
  const { repository, commit, folders } = collection;
  console.log(`${repository} at ${commit}: ${folders.length} policies`);
  for (const folder of folders) {
    const files = policyFiles(collection, join(clones, repository), folder);
    const [alone, all] = ['policies', 'default'].map((plugins) => verdictsOf(files, plugins));
    const link = `[${folder}](https://github.com/${repository}/tree/${commit}/${folder})`;
    if (alone !== all) changed.push(`| ${link} | ${alone} | ${all} |`);
    else same.push(`${folder}: ${all}`);
  }
}
console.log(
  `${changed.length} of ${changed.length + same.length} policies return another verdict:`,
);
console.log(changed.join('\n'));
console.log(`the same verdict:\n${same.join('\n')}`);
rmSync(scratch, { recursive: true });

function policyFiles({ parameters }: Collection, clone: string, folder: string): readonly string[] {
  const other = ['kustomization.yaml', 'artifacthub-pkg.yml'];
  const files = readdirSync(join(clone, folder))
    .filter((name) => /\.ya?ml$/.test(name) && !other.includes(name))
    .map((name) => join(clone, folder, name));
  if (files.length === 0) throw new Error(`no policy in ${folder}`);
  if (parameters === undefined) return files;
  const bindings = files.flatMap((file) => bindingFiles(file, parameters.name));
  return [...files, ...parameters.files.map((file) => join(clone, file)), ...bindings];
}

/** Writes bindings with parameters for the policies of a file that need parameters. */
function bindingFiles(file: string, parameter: string): readonly string[] {
  const policies = parseAllDocuments(readFileSync(file, 'utf8')).map(
    (document) => document.toJS() as Policy,
  );
  const needing = policies.filter(({ spec }) => spec.paramKind !== undefined);
  return needing.map(({ metadata: { name } }) => {
    const binding = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: {
        policyName: name,
        validationActions: ['Deny'],
        paramRef: { name: parameter, parameterNotFoundAction: 'Deny' },
      },
    };
    const path = join(scratch, `${name}.json`);
    writeFileSync(path, JSON.stringify(binding));
    return path;
  });
}

interface Policy {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly paramKind?: object };
}

/** The verdicts about the pod, in the order of the alphabet. */
function verdictsOf(files: readonly string[], plugins: string): string {
  const policies = files.flatMap((file) => ['-p', file]);
  const options = ['--bind', 'Deny', '--plugins', plugins, '-o', 'json'];
  const args = [program as string, 'check', ...policies, '-r', pod as string, ...options];
  const { stdout, stderr, status, error } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status === null || !stdout.startsWith('{'))
    throw new Error(`${files.join(', ')}: ${error ?? stderr}`);
  const report = JSON.parse(stdout) as { readonly results: readonly Result[] };
  const ofPod = report.results.filter(({ resource }) => resource === 'Pod/web');
  return [...new Set(ofPod.map(({ verdict }) => verdict))].sort().join(', ');
}

interface Result {
  readonly resource: string;
  readonly verdict: string;
}
