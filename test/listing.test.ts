// What is uploaded to the Marketplace keeps its limits, and promises what is there.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(__dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const text = (name: string) => read(`listing/${name}.txt`).trim();

/** Where a PNG tells its size, in bytes from its beginning. */
const WIDTH_AT = 16;
const HEIGHT_AT = 20;
const SIGNATURE = '89504e470d0a1a0a';

function sizeOf(path: string): string {
  const png = readFileSync(join(ROOT, 'listing', path));
  expect(png.toString('hex', 0, 8)).toBe(SIGNATURE);
  return `${png.readUInt32BE(WIDTH_AT)} × ${png.readUInt32BE(HEIGHT_AT)}`;
}

// https://developers.google.com/workspace/marketplace/create-listing, "App details".
test.each([
  ['name', 50],
  ['short-description', 200],
  ['description', 15_999],
])('the %s has at most %d characters, on one line where it is a field of one', (name, most) => {
  expect(text(name).length).toBeGreaterThan(0);
  expect(text(name).length).toBeLessThanOrEqual(most);
  if (name !== 'description') expect(text(name)).not.toContain('\n');
});

test('the name has no name of Google or its products in it', () => {
  expect(text('name')).not.toMatch(/google|sheets|workspace|gmail|drive|docs|chrome|android/i);
});

test('icons, banner and screenshots have the sizes that the Marketplace takes', () => {
  const icons = [32, 48, 96, 128].map((size) => [sizeOf(`icon-${size}.png`), `${size} × ${size}`]);
  for (const [is, wanted] of icons) expect(is).toBe(wanted);
  expect(sizeOf('banner.png')).toBe('220 × 140');
  const screenshots = readdirSync(join(ROOT, 'listing/screenshots'));
  expect(screenshots.map((name) => sizeOf(`screenshots/${name}`))).toEqual(
    Array(5).fill('1280 × 800'),
  );
});

test('the listing’s page leads to every file of it', () => {
  const page = read('listing/README.md');
  const files = readdirSync(join(ROOT, 'listing'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'README.md')
    .map(({ name }) => name);
  expect(files.filter((name) => !page.includes(`${name})`))).toEqual([]);
});

test('every formula that the description shows is one that the README tells', () => {
  const formulas = text('description').match(/=ANALYZE\w*(?=\()/g) ?? [];
  expect(formulas.length).toBeGreaterThan(2);
  expect(formulas.filter((name) => !read('README.md').includes(`\`${name}(`))).toEqual([]);
});

test('who publishes is told of every blank in the terms, and of no other', () => {
  const blanks = read('docs/terms.md').match(/\[[^\]]+\](?!\()/g) ?? [];
  const told = read('listing/README.md').match(/(?<=`)\[[^\]]+\](?=`)/g) ?? [];
  expect([...new Set(blanks)].sort()).toEqual([...told].sort());
});
