import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The properties of a page and its site that this module reads. */
interface PageContext {
  /** The page's file of Markdown within the site. */
  readonly page: string;
  readonly siteConfig: { readonly outDir: string };
  readonly siteData: { readonly base: string };
}

/** The parts that VitePress loads early: preloads, the site data that every script reads, and the layout. */
const preload = /\s*<link rel="modulepreload" href="[^"]*">/g;
const dataScript = /\s*<script type="module" src="([^"]*\/metadata\.[^"]+)"><\/script>/;
const layoutScript = /\s*<script type="module" src="([^"]*\/app\.[^"]+)"><\/script>/;

/**
 * The style that hides icons until the first verdict; they keep their space.
 *
 * Browsers treat each icon as a separate document, and together they take a tenth of the time until the first
 * verdict.
 */
const withoutPictures = [
  '[class^="vpi-"],[class*=" vpi-"]{mask:none!important;-webkit-mask:none!important;background:none!important}',
  '.VPNavBarTitle .logo{display:none}',
  '.VPNavBarTitle .title::before{content:"";width:24px;margin-right:8px}',
].join('');

/**
 * Starts the playground before the rest of its page; other pages are returned unchanged.
 *
 * The worker starts with the first line, so that the engines load on another thread early. The layout of VitePress
 * starts after the first verdict because it takes longer than the verdict.
 */
export function withEarlyPlayground(
  html: string,
  { page, siteConfig, siteData }: PageContext,
): string {
  if (page !== 'playground/index.md') return html;
  const addressOf = (folder: string, name: RegExp): string => {
    const found = readdirSync(join(siteConfig.outDir, folder)).filter((file) => name.test(file));
    if (found.length !== 1) throw new Error(`${found.length} files in ${folder} match ${name}`);
    return `${siteData.base}${folder}/${found[0]}`;
  };
  const worker = JSON.stringify(addressOf('assets', /^worker-[\w-]+\.js$/));
  const start = addressOf('assets/chunks', /^start\.[\w-]+\.js$/);
  const importsOf = (script: string): string[] => {
    const text = readFileSync(join(siteConfig.outDir, script.slice(siteData.base.length)), 'utf8');
    return [...text.matchAll(/\bimport\s*\{[^}]*\}\s*from\s*["']\.\/([^"']+)["']/g)].map(
      ([, name]) => `${siteData.base}assets/chunks/${name}`,
    );
  };
  const [dataTag, data] = dataScript.exec(html) ?? [];
  const [layoutTag, layout] = layoutScript.exec(html) ?? [];
  if (dataTag === undefined || layoutTag === undefined)
    throw new Error('unexpected scripts in the page of the playground');
  const without = html
    .replaceAll(preload, '')
    .replace(dataTag, '')
    .replace(layoutTag, '')
    // The browser does not load a lazy image that is hidden.
    .replace('<img class="VPImage logo"', '<img loading="lazy" class="VPImage logo"');
  if (!without.includes('loading="lazy"')) throw new Error('the logo was not found in the page');
  const head = [
    `<script>(window.kubeadmitWorker=new Worker(${worker},{type:"module",name:"early"})).onmessage=({data})=>{window.kubeadmitEarly=data}</script>`,
    `<style id="early-style">${withoutPictures}</style>`,
    ...[start, ...importsOf(start)].map((each) => `<link rel="modulepreload" href="${each}">`),
    `<script type="module" src="${data}"></script>`,
    `<script type="module">import(${JSON.stringify(start)}).then(()=>window.kubeadmitShown).catch(()=>{}).then(()=>{document.getElementById("early-style").remove();return import(${JSON.stringify(layout)})})</script>`,
  ];
  return without.replace(/<meta charset="utf-8">/i, (charset) => [charset, ...head].join('\n    '));
}
