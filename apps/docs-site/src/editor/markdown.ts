/** A text in the little Markdown that the language service writes: paragraphs, lists, blocks and words of code, bold. */
export function markdownElement(text: string, name: string): HTMLElement {
  const root = document.createElement('div');
  root.className = name;
  let end = 0;
  for (const found of text.matchAll(blocks)) {
    root.append(...paragraphsOf(text.slice(end, found.index)), withText('pre', found[2] ?? ''));
    end = found.index + found[0].length;
  }
  root.append(...paragraphsOf(text.slice(end)));
  return root;
}

const blocks = /^(`{3,})\w*\n([\s\S]*?)\n?^\1$/gm;

function paragraphsOf(text: string): readonly HTMLElement[] {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map(blockOf);
}

function blockOf(text: string): HTMLElement {
  if (!text.startsWith('- ')) return filled(document.createElement('p'), text);
  const list = document.createElement('ul');
  for (const item of text.split('\n'))
    list.append(filled(document.createElement('li'), item.replace(/^- /, '')));
  return list;
}

const spans = /(?<![\\`])(`+)(?!`)([\s\S]*?[^`])\1(?!`)|(?<!\\)\*\*((?:\\.|[^*\\])+)\*\*/g;

function filled(element: HTMLElement, text: string): HTMLElement {
  let end = 0;
  for (const found of text.matchAll(spans)) {
    element.append(unescaped(text.slice(end, found.index)));
    const [span, , code, strong = ''] = found;
    element.append(
      code === undefined
        ? withText('strong', unescaped(strong))
        : withText('code', code.replace(/^ ([\s\S]*) $/, '$1')),
    );
    end = found.index + span.length;
  }
  element.append(unescaped(text.slice(end)));
  return element;
}

/** A text without the backslashes that keep its characters from being markdown. */
function unescaped(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, '$1');
}

function withText(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}
