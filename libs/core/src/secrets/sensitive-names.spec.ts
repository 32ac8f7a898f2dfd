import { describe, expect, it } from '@jest/globals';
import { Redaction } from './redaction.js';
import { SENSITIVE_ENDINGS, SENSITIVE_NAMES } from './sensitive-names.js';

const redaction = new Redaction();

describe('names of credentials', () => {
  it.each([...SENSITIVE_NAMES, ...SENSITIVE_ENDINGS])(
    '%s is a name of credentials in each way of writing it',
    (name) => {
      const words = name.split('-');
      const pascal = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
      const spellings = [name, name.toUpperCase(), words.join('_'), words.join('.'), pascal];
      expect(spellings.filter((spelling) => !redaction.isSensitive(spelling))).toEqual([]);
    },
  );

  it.each(
    (
      'stripeApiKey STRIPE_API_KEY stripe-api-key stripeapikey x-acme-auth-token xAcmeAuthToken acmeToken token2 dbPassword ' +
      'DB_PASSWORD userpassword db.password passwordHash password_confirmation oldPassword newPassword2 userPwd user_pwd pwd2 ' +
      'sessionCookie cookieHeader X-Hub-Signature-256 stripe-signature paymentCredentials awsSecretAccessKey AWSSecretKey ' +
      'sshPrivateKey smtpPasswd azureConnectionString clientJwt id_jwt AuthorizationValue tokenText user[password] ' +
      'user[password][] user[pwd] login[password_confirmation]'
    ).split(' '),
  )('%s is a name of credentials', (name) => expect(redaction.isSensitive(name)).toBe(true));

  it.each(
    (
      'nextPageToken page_token next-token cancellationToken continuationToken maxTokens tokenCount tokenType passwordPolicy ' +
      'passwordLength secretName cookieConsent signatureAlgorithm credentialType key primaryKey idempotencyKey publicKey monkey ' +
      'design signal value text header hash connectionStringName bpwd Text Path Value pin user[name] key[] a[b]'
    ).split(' '),
  )('%s is not a name of credentials', (name) => expect(redaction.isSensitive(name)).toBe(false));

  it('can be added, as endings too, and exempted', () => {
    const own = new Redaction({ add: ['x-partner-badge', 'pin'], remove: ['token', 'documentSignature'] });
    const sensitive = [
      'X_Partner_Badge',
      'acmeXPartnerBadge',
      'pin',
      'cardPin',
      'card_pin',
      'docSignature',
      'auth-token',
    ];
    const plain = ['spin', 'token', 'acmeToken', 'document_signature'];
    expect(sensitive.map(own.isSensitive)).toEqual(sensitive.map(() => true));
    expect(plain.map(own.isSensitive)).toEqual(plain.map(() => false));
    expect(redaction.isSensitive('documentSignature')).toBe(true);
  });

  it('names of credentials are recognized beyond ASCII as well', () => {
    const own = new Redaction({ add: ['Kennwort', 'пароль', 'clé'] });
    expect(['kennwort', 'мойПароль', 'ПАРОЛЬ', 'maClé', 'clé'].map(own.isSensitive)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
  });
});
