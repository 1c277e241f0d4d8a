// src/app/sign-in/page.tsx

interface SignInProps {
  readonly searchParams: Promise<{ readonly problem?: string }>;
}

/** The page on which people sign in. */
export default async function SignIn({ searchParams }: SignInProps) {
  const { problem } = await searchParams;
  return (
    <form method="post" action="/session">
      <title>Sign in</title>
      <label>
        E-mail address <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button>Sign in</button>
      {problem && <p role="alert">The address or the password is wrong.</p>}
    </form>
  );
}
