/** A text in the little Markdown that the language service writes: paragraphs, lists, blocks and words of code, bold. */
export function markdownElement(text: string, name: string): HTMLElement {
  const root = document.createElement('div');
  root.className = name;
  for (const part of text.split(/(```[\s\S]*?```)/)) {
    const code = /^```\w*\n([\s\S]*?)\n?```$/.exec(part)?.[1];
    if (code !== undefined) {
      const block = document.createElement('pre');
      block.textContent = code;
      root.append(block);
      continue;
    }
    for (const paragraph of part.split(/\n{2,}/))
      if (paragraph.trim() !== '') root.append(blockOf(paragraph.trim()));
  }
  return root;
}

function blockOf(text: string): HTMLElement {
  if (!text.startsWith('- ')) return filled(document.createElement('p'), text);
  const list = document.createElement('ul');
  for (const item of text.split('\n'))
    list.append(filled(document.createElement('li'), item.replace(/^- /, '')));
  return list;
}

function filled(element: HTMLElement, text: string): HTMLElement {
  for (const part of text.split(/(`[^`]+`|\*\*[^*]+\*\*)/)) {
    if (/^`.+`$/.test(part)) element.append(withText('code', part.slice(1, -1)));
    else if (/^\*\*.+\*\*$/.test(part)) element.append(withText('strong', part.slice(2, -2)));
    else element.append(part);
  }
  return element;
}

function withText(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}
