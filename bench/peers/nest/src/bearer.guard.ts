import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Inject,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import { type CryptoKey, type JWTPayload, jwtVerify } from 'jose';

export const issuer = 'http://127.0.0.1/realms/bench';
export const publicKey = Symbol('the key that verifies tokens');

/** Requires an RS256 token for the provider of the path. */
@Injectable()
export class BearerGuard implements CanActivate {
  constructor(@Inject(publicKey) private readonly key: CryptoKey) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest();
    const [scheme, token] = (request.headers.authorization ?? '').split(' ');
    if (scheme !== 'Bearer' || !token) throw new UnauthorizedException();
    const { provider } = await this.verify(token);
    const { countryCode, code } = request.params;
    if (provider !== `${countryCode}-${code}`) throw new ForbiddenException();
    return true;
  }

  private async verify(token: string): Promise<JWTPayload> {
    try {
      return (await jwtVerify(token, this.key, { issuer, algorithms: ['RS256'] })).payload;
    } catch {
      throw new UnauthorizedException();
    }
  }
}
