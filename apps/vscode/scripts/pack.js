// Packs the extension: dist/kubeadmit.vsix, a zip archive in the layout that editors install. Asks no network.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { strToU8, zipSync } from 'fflate';

const root = fileURLToPath(new URL('../', import.meta.url));
const server = fileURLToPath(new URL('../../cli/dist/', import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** The fields of the manifest that editors read; the others are for building. */
const { devDependencies: _, scripts: __, private: ___, type: ____, engines, ...shown } = manifest;
const installed = { ...shown, engines: { vscode: engines.vscode } };

const files = {
  '[Content_Types].xml': strToU8(contentTypes()),
  'extension.vsixmanifest': strToU8(vsixManifest()),
  'extension/package.json': strToU8(`${JSON.stringify(installed, null, 2)}\n`),
  'extension/README.md': readFileSync(`${root}README.md`),
  'extension/LICENSE.txt': readFileSync(
    fileURLToPath(new URL('../../../LICENSE', import.meta.url)),
  ),
  'extension/dist/extension.cjs': readFileSync(`${root}dist/extension.cjs`),
  ...folder(`${root}media/`, 'extension/media/', () => true),
  ...folder(server, 'extension/server/', (name) => !name.endsWith('.map')),
};

// The same files give the same archive.
writeFileSync(
  `${root}dist/kubeadmit.vsix`,
  zipSync(files, { level: 9, mtime: '1980-01-02T00:00:00' }),
);

function folder(path, target, isWanted) {
  const found = {};
  for (const name of readdirSync(path).sort()) {
    if (statSync(path + name).isDirectory()) {
      Object.assign(found, folder(`${path}${name}/`, `${target}${name}/`, isWanted));
    } else if (isWanted(name)) found[target + name] = readFileSync(path + name);
  }
  return found;
}

function contentTypes() {
  const types = {
    json: 'application/json',
    md: 'text/markdown',
    js: 'application/javascript',
    cjs: 'application/javascript',
    png: 'image/png',
    txt: 'text/plain',
    vsixmanifest: 'text/xml',
  };
  const rows = Object.entries(types).map(
    ([extension, type]) => `<Default Extension=".${extension}" ContentType="${type}"/>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${rows.join('')}</Types>\n`;
}

function vsixManifest() {
  const { name, publisher, version, displayName, description, categories, keywords } = manifest;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
    <DisplayName>${displayName}</DisplayName>
    <Description xml:space="preserve">${description}</Description>
    <Tags>${keywords.join(',')}</Tags>
    <Categories>${categories.join(',')}</Categories>
    <License>extension/LICENSE.txt</License>
    <Icon>extension/${manifest.icon}</Icon>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${engines.vscode}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Icons.Default" Path="extension/${manifest.icon}" Addressable="true"/>
  </Assets>
</PackageManifest>
`;
}
