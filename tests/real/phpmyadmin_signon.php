<?php
// The sign-in of the SQL admin tool: the identity provider says who it is and, in the same token,
// with which password they open their databases. phpMyAdmin takes both from the session
// (auth_type "signon"); nobody types either, and nothing is kept.
$issuer = getenv('OIDC_ISSUER');
$here = getenv('SIGNON_URL');

function claims(string $token): array
{
    // It came straight from the token endpoint: who answered there is who signed it.
    $payload = explode('.', $token)[1];
    return json_decode(base64_decode(strtr($payload, '-_', '+/')), true);
}

session_set_cookie_params(['httponly' => true, 'samesite' => 'Lax']);
session_name('SignonSession');
session_start();

if (isset($_SESSION['PMA_single_signon_error_message'])) {
    // phpMyAdmin was refused with what the token said: signing in again would say the same.
    unset($_SESSION['PMA_single_signon_error_message'], $_SESSION['PMA_single_signon_user']);
    unset($_SESSION['PMA_single_signon_password']);
    http_response_code(403);
    exit('The SQL server refused the password that stands with your account.');
}
if (!isset($_GET['code'])) {
    $_SESSION['state'] = bin2hex(random_bytes(16));
    header("Location: $issuer/protocol/openid-connect/auth?" . http_build_query([
        'response_type' => 'code',
        'client_id' => getenv('OIDC_CLIENT_ID'),
        'redirect_uri' => $here,
        'scope' => 'openid',
        'state' => $_SESSION['state'],
    ]));
    exit;
}
if (!hash_equals($_SESSION['state'] ?? '', $_GET['state'] ?? '')) {
    http_response_code(400);
    exit('not the sign-in that was begun here');
}
$asked = curl_init("$issuer/protocol/openid-connect/token");
curl_setopt_array($asked, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 20,
    CURLOPT_POSTFIELDS => http_build_query([
        'grant_type' => 'authorization_code',
        'code' => $_GET['code'],
        'redirect_uri' => $here,
        'client_id' => getenv('OIDC_CLIENT_ID'),
        'client_secret' => getenv('OIDC_CLIENT_SECRET'),
    ]),
]);
$answer = json_decode(curl_exec($asked), true);
if (!isset($answer['access_token'])) {
    http_response_code(502);
    exit('no token: ' . ($answer['error'] ?? 'no answer'));
}
$claims = claims($answer['access_token']);
$_SESSION['PMA_single_signon_user'] = $claims['preferred_username'];
$_SESSION['PMA_single_signon_password'] = $claims['sql_password'] ?? '';
session_write_close();
header('Location: index.php');
