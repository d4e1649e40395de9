// Takes the pictures of the guide about editors in the playground of the built site: `pnpm run screens`, or some of them
// by their names.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openSite, readyPlayground } from './site.ts';

const folder = fileURLToPath(new URL('../public/screens/', import.meta.url));
mkdirSync(folder, { recursive: true });

const policy = (expression: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: replicas
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: [apps]
      apiVersions: [v1]
      operations: [CREATE, UPDATE]
      resources: [deployments]
  variables:
  - name: containers
    expression: object.spec.template.spec.containers
  validations:
  - expression: |-
      ${expression}
    message: images come from our registry
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: replicas
spec:
  policyName: replicas
  validationActions: [Deny]
`;

const kyverno = `apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata:
  name: limits
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: ['']
      apiVersions: [v1]
      operations: [CREATE]
      resources: [pods]
  validations:
  - expression: |-
      resource.
    message: the limits of the namespace are kept
`;

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              replicas: {type: integer, description: How many there are.}
              parts: {type: array, maxItems: 9, items: {type: string, maxLength: 9}}
            x-kubernetes-validations:
            - rule: |-
                self.replica >= self.parts.size()
`;

/** Puts the cursor behind a text of the editor. */
async function goBehind(page: Page, text: string): Promise<void> {
  const line = page.locator('.cm-line', { hasText: text }).last();
  await line.click();
  await page.keyboard.press('End');
}

/** Moves the pointer onto a word of a line. */
async function pointAt(page: Page, lineText: string, word: string): Promise<void> {
  const line = page.locator('.cm-line', { hasText: lineText }).last();
  const [box, text, width] = await Promise.all([
    line.boundingBox(),
    line.textContent(),
    line.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return range.getBoundingClientRect().width;
    }),
  ]);
  if (box === null || text === null) throw new Error('the line is not shown');
  const letter = width / text.length;
  const x = box.x + 6 + letter * (text.indexOf(word) + 2.5);
  await page.mouse.move(x, box.y + box.height / 2, { steps: 5 });
}

interface Picture {
  readonly name: string;
  readonly scheme: 'light' | 'dark';
  readonly text: string;
  show(page: Page): Promise<void>;
}

const pictures: readonly Picture[] = [
  {
    name: 'problem',
    scheme: 'light',
    text: policy('object.spec.replica <= 5 && variables.containers.all(c, has(c.resources))'),
    async show(page) {
      await page.locator('.cm-lintRange-error, .cm-lintRange-warning').last().waitFor();
      await pointAt(page, 'object.spec.replica', 'replica ');
      await page.locator('.cm-tooltip-lint').waitFor();
    },
  },
  {
    name: 'completion',
    scheme: 'light',
    text: policy('variables.containers.all(c, c.'),
    async show(page) {
      await goBehind(page, 'variables.containers.all');
      await page.keyboard.press('Control+Space');
      await page.locator('.cm-tooltip-autocomplete li').first().waitFor();
      await page.keyboard.type('im');
      await page.locator('.cm-completionLabel', { hasText: 'image' }).first().waitFor();
    },
  },
  {
    name: 'hover',
    scheme: 'dark',
    text: policy("variables.containers.all(c, c.image.startsWith('registry.example.com/'))"),
    async show(page) {
      await pointAt(page, 'startsWith', 'startsWith');
      await page.locator('.known-of').waitFor();
    },
  },
  {
    name: 'kyverno',
    scheme: 'light',
    text: kyverno,
    async show(page) {
      await goBehind(page, 'resource.');
      await page.keyboard.press('Control+Space');
      await page.locator('.cm-completionLabel', { hasText: 'toGVR' }).first().waitFor();
    },
  },
  {
    name: 'definition',
    scheme: 'dark',
    text: definition,
    async show(page) {
      await page.locator('.cm-lintRange-error').last().waitFor();
      await pointAt(page, 'self.replica', 'replica ');
      await page.locator('.cm-tooltip-lint').waitFor();
    },
  },
];

const wanted = process.argv.slice(2);
const named = pictures.filter((each) => wanted.includes(each.name));
const site = await openSite();
try {
  for (const { name, scheme, text, show } of wanted.length === 0 ? pictures : named) {
    const { page, problems } = await site.open('playground/', {
      viewport: { width: 1500, height: 1000 },
      colorScheme: scheme,
    });
    await readyPlayground(page);
    await page.evaluate((given) => window.kubeadmit?.open({ 'policy.yaml': given }), text);
    await page.locator('.cm-line', { hasText: 'apiVersion' }).first().waitFor();
    await page.waitForTimeout(1_500);
    // Signs of completions need fonts that browsers without a desktop lack.
    await page.addStyleTag({ content: '.cm-completionIcon { display: none }' });
    await show(page);
    if (problems.length > 0) throw new Error(problems.join('\n'));
    await page.waitForTimeout(700);
    const editor = await page.locator('.cm-editor').boundingBox();
    if (editor === null) throw new Error('there is no editor');
    const last = await page.locator('.cm-line').last().boundingBox();
    const { x, y, width } = editor;
    const height = (last?.y ?? y) + (last?.height ?? 0) - y + 8;
    // The picture includes tooltips below the last line.
    const least = 480;
    await page.screenshot({
      path: `${folder}${name}.png`,
      clip: { x, y, width, height: Math.max(height, least) },
    });
    await page.context().close();
  }
} finally {
  await site.close();
}
