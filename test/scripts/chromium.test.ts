// The browser that the tests find on any machine: it must start on one that has nothing installed.
import { describe, expect, it } from '@jest/globals';
import { chromiumPath, launchChromium } from '../../scripts/chromium';

describe('chromiumPath', () => {
  it('gives the browser from npm, which shows a page with the libraries it brought along', async () => {
    const browser = await launchChromium(chromiumPath('npm'));
    try {
      const page = await browser.newPage();
      await page.setContent('<h1>profit</h1>');
      expect(await page.textContent('h1')).toBe('profit');
    } finally {
      await browser.close();
    }
  });

  it('takes the file that is named', () => {
    expect(chromiumPath(process.execPath)).toBe(process.execPath);
  });

  it('says so when the named file is not there', () => {
    expect(() => chromiumPath('/nowhere/chromium')).toThrow(
      'CHROMIUM names a file that is not there: /nowhere/chromium',
    );
  });
});
