import { isCountry } from '../../../country.ts';
import type { Address, ElectronicInvoice, Party } from '../electronic-invoice.ts';
import type { Findings } from '../finding.ts';
import type { XmlElement } from '../xml-element.ts';

/** Seller, buyer, payee, tax representative and place of delivery. */
export function checkParties(invoice: ElectronicInvoice, findings: Findings): void {
  const { seller, buyer, payee, taxRepresentative, delivery } = invoice;
  checkParty(seller, findings, 'seller', {
    name: ['BR-06', 'BT-27'],
    address: ['BR-08', 'BG-5'],
    country: ['BR-09', 'BT-40'],
    electronicAddress: ['BR-62', 'BT-34'],
  });
  if (!isIdentified(seller)) {
    const message =
      'The seller has none of an identifier, a legal registration (BT-30) and a VAT identifier (BT-31).';
    findings.add('BR-CO-26', 'BT-29', seller.at, message);
  }
  checkParty(buyer, findings, 'buyer', {
    name: ['BR-07', 'BT-44'],
    address: ['BR-10', 'BG-8'],
    country: ['BR-11', 'BT-55'],
    electronicAddress: ['BR-63', 'BT-49'],
  });
  if (payee && !isNamedApart(payee, invoice)) {
    const message = 'A payee has a name, and is another than the seller.';
    findings.add('BR-17', 'BT-59', payee.at, message, { found: payee.name });
  }
  if (taxRepresentative) {
    checkParty(taxRepresentative, findings, 'tax representative', {
      name: ['BR-18', 'BT-62'],
      address: ['BR-19', 'BG-12'],
      country: ['BR-20', 'BT-69'],
    });
    if (!hasVatIdentifier(taxRepresentative)) {
      const message = 'The tax representative has no VAT identifier.';
      findings.add('BR-56', 'BT-63', taxRepresentative.at, message);
    }
  }
  for (const address of delivery.addresses) {
    needCountry(address, findings, ['BR-57', 'BT-80'], 'deliver to address');
  }
  checkVatIdentifiers(findings, seller, 'BT-31');
  checkVatIdentifiers(findings, buyer, 'BT-48');
  if (taxRepresentative) checkVatIdentifiers(findings, taxRepresentative, 'BT-63');
}

export function hasVatIdentifier({ vatIdentifiers }: Party): boolean {
  return vatIdentifiers.some(({ value }) => value !== undefined);
}

function isIdentified(seller: Party): boolean {
  return (
    seller.identifiers.some(({ value }) => value !== undefined) ||
    seller.legalRegistration !== undefined ||
    hasVatIdentifier(seller)
  );
}

type RuleOf = [rule: string, term: string];

function checkParty(
  party: Party,
  findings: Findings,
  who: string,
  rules: { name: RuleOf; address: RuleOf; country: RuleOf; electronicAddress?: RuleOf },
): void {
  const add = ([rule, term]: RuleOf, at: XmlElement, message: string, found?: string) =>
    findings.add(rule, term, at, message, { found });
  if (party.name === undefined) add(rules.name, party.at, `The ${who} has no name.`);
  if (!party.address) add(rules.address, party.at, `The ${who} has no postal address.`);
  else needCountry(party.address, findings, rules.country, `address of the ${who}`);
  const { electronicAddress } = party;
  if (rules.electronicAddress && electronicAddress && !electronicAddress.scheme) {
    const message = `The electronic address of the ${who} has no scheme identifier.`;
    add(rules.electronicAddress, electronicAddress.at, message, electronicAddress.value);
  }
}

function needCountry(
  address: Address,
  findings: Findings,
  [rule, term]: RuleOf,
  what: string,
): void {
  if (address.country !== undefined) return;
  findings.add(rule, term, address.at, `The ${what} has no country code.`);
}

/** By the bindings: the trading name in UBL, the name in CII. */
function isNamedApart(payee: Party, { syntax, seller }: ElectronicInvoice): boolean {
  if (payee.name === undefined) return false;
  const sellerName = syntax === 'UBL' ? seller.tradingName : seller.name;
  const sellerIds = new Set(seller.identifiers.flatMap(({ value }) => value ?? []));
  const sharesId = payee.identifiers.some(
    ({ value }) => value !== undefined && sellerIds.has(value),
  );
  return payee.name !== sellerName && !sharesId;
}

/** Prefixes of VAT identifiers beside the codes of countries: Greece, Northern Ireland, Kosovo. */
const otherPrefixes = new Set(['EL', 'XI', '1A']);

function checkVatIdentifiers(findings: Findings, { vatIdentifiers }: Party, term: string): void {
  for (const { at, value } of vatIdentifiers) {
    const prefix = value?.slice(0, 2) ?? '';
    if (isCountry(prefix) || otherPrefixes.has(prefix)) continue;
    const message = 'A VAT identifier starts with the code of the country that issued it.';
    findings.add('BR-CO-09', term, at, message, { found: value });
  }
}
