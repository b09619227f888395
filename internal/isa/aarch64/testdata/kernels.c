// Small loops of many kinds; what compilers make of them exercises the parser and the decoder.
#include <stdint.h>
#include <stdatomic.h>
#include <stddef.h>
double sqrt(double);
double fabs(double);
int abs(int);
size_t strlen(const char *);
size_t strspn(const char *, const char *);
void j2(double*restrict a,const double*restrict b,int n,int m){for(int i=1;i<n-1;i++)for(int j=1;j<m-1;j++)a[i*m+j]=.25*(b[i*m+j-1]+b[i*m+j+1]+b[(i-1)*m+j]+b[(i+1)*m+j]);}
float dotf(const float*a,const float*b,int n){float s=0;for(int i=0;i<n;i++)s+=a[i]*b[i];return s;}
int32_t sum8(const int8_t*a,const int8_t*b,int n){int s=0;for(int i=0;i<n;i++)s+=a[i]*b[i];return s;}
uint64_t h(const uint8_t*p,size_t n){uint64_t x=14695981039346656037ull;for(size_t i=0;i<n;i++){x^=p[i];x*=1099511628211ull;}return x;}
void hist(const uint8_t*p,int*c,int n){for(int i=0;i<n;i++)c[p[i]]++;}
void sat(uint8_t*a,const uint8_t*b,int n){for(int i=0;i<n;i++){int v=a[i]+b[i];a[i]=v>255?255:v;}}
int pop(const uint64_t*a,int n){int s=0;for(int i=0;i<n;i++)s+=__builtin_popcountll(a[i])+__builtin_clzll(a[i]|1)+__builtin_ctz(a[i]|4);return s;}
void gather(double*a,const double*b,const int*ix,int n){for(int i=0;i<n;i++)a[i]=b[ix[i]]*2;}
void scatter(double*a,const double*b,const int*ix,int n){for(int i=0;i<n;i++)a[ix[i]]=b[i];}
void cond(double*a,const double*b,int n){for(int i=0;i<n;i++)if(b[i]>0)a[i]=sqrt(b[i]);else a[i]+=fabs(b[i]);}
void aos(float*x,float*y,float*z,const float*p,int n){for(int i=0;i<n;i++){x[i]=p[3*i];y[i]=p[3*i+1];z[i]=p[3*i+2];}}
void rgba(uint8_t*o,const uint8_t*p,int n){for(int i=0;i<n;i++){uint8_t r=p[4*i],g=p[4*i+1],b=p[4*i+2];o[i]=(r*77+g*150+b*29)>>8;}}
int at(atomic_int*a,atomic_long*b){int x=atomic_fetch_add(a,1);atomic_exchange(b,x);long e=3;atomic_compare_exchange_strong(b,&e,5);return atomic_fetch_or(a,2)+atomic_load(a);}
typedef struct{uint32_t a:5,b:7,c:20;}bf; void setbf(bf*p,int x){p->a=x;p->b+=x;p->c^=x;}
int sw(int x){switch(x){case 0:return 5;case 1:return 77;case 2:return abs(x);case 3:return 9;case 4:return 1<<x;case 5:return x*x;case 6: return 88; case 7: return 101;}return 0;}
__int128 mul(__int128 a,__int128 b){return a*b+a;} unsigned dv(unsigned a,unsigned b){return a/b+a%b;}
double poly(double x){return ((((x*3.5+2.25)*x-1.0)*x+.5)*x-31.0)*x+1e10;}
_Float16 hf(const _Float16*a,int n){_Float16 s=0;for(int i=0;i<n;i++)s+=a[i]*a[i];return s;}
void cvt(int*a,const double*b,float*c,const long*d,int n){for(int i=0;i<n;i++){a[i]=(int)b[i];c[i]=(float)d[i];}}
void mm(double*c,const double*a,const double*b,int n){for(int i=0;i<n;i++)for(int j=0;j<n;j++){double s=0;for(int k=0;k<n;k++)s+=a[i*n+k]*b[k*n+j];c[i*n+j]=s;}}
void ps(int*a,int n){for(int i=1;i<n;i++)a[i]+=a[i-1];}
int mx(const int*a,int n){int m=a[0],k=0;for(int i=1;i<n;i++)if(a[i]>m){m=a[i];k=i;}return k;}
void cpx(float*a,const float*b,const float*c,int n){for(int i=0;i<n;i++){a[2*i]+=b[2*i]*c[2*i]-b[2*i+1]*c[2*i+1];a[2*i+1]+=b[2*i]*c[2*i+1]+b[2*i+1]*c[2*i];}}
void str(char*d,const char*s){while((*d++=*s++));} size_t ln(const char*s){return strlen(s)+strspn(s,"abc");}
extern __thread int tl; int tls(void){return tl++;} extern int ge; int*gp(void){return &ge;} 
void rev(uint16_t*a,int n){for(int i=0;i<n;i++)a[i]=__builtin_bswap16(a[i]);}
void sh(uint64_t*a,const uint64_t*b,int n,int k){for(int i=0;i<n;i++)a[i]=(b[i]<<k)|(b[i]>>(64-k));}
void narrow(int8_t*a,const int*b,int n){for(int i=0;i<n;i++)a[i]=b[i]>>3;} void widen(long*a,const uint8_t*b,int n){for(int i=0;i<n;i++)a[i]+=b[i];}
